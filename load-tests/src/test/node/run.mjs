// Runs the k6 script's own default function: node run.mjs, beside signup.mjs and node_modules/k6. Prints a JSON document.
globalThis.__ENV = process.env;
globalThis.__VU = 1;
globalThis.__ITER = 0;

const script = await import('./signup.mjs');
const { checks } = await import('k6');

for (const vu of [1, 2]) {
  for (let iteration = 0; iteration < 3; iteration++) {
    globalThis.__VU = vu;
    globalThis.__ITER = iteration;
    script.default();
  }
}
const metrics = {
  http_reqs: { values: { count: 9000, rate: 150 } },
  http_req_failed: { values: { passes: 3 } },
  http_req_duration: { values: { med: 2.5, 'p(95)': 4, 'p(99)': 9.25 } },
  vus_max: { values: { max: 600 } },
};
console.log(
  JSON.stringify({ checks, options: script.options, summary: script.handleSummary({ metrics }).stdout }),
);
