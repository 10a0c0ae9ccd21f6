// Signups at a constant arrival rate, for k6:
//
//   k6 run -e RATE=150 -e DURATION=60s -e BASE_URL=http://127.0.0.1:8080 load-tests/signup.js
//
// The rate does not wait for answers: a slow service needs more virtual users, and where there are no more, k6 drops
// iterations and counts them. load-tests/run signup does the same where k6 cannot be installed.
import http from 'k6/http';
import { check } from 'k6';

const RATE = Number(__ENV.RATE || 20);
const DURATION = __ENV.DURATION || '60s';
const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';
// tells the addresses of two runs against the same database apart
const RUN = Date.now().toString(36) + Math.floor(Math.random() * 1e9).toString(36);

export const options = {
  scenarios: {
    signup: {
      executor: 'constant-arrival-rate',
      rate: RATE,
      timeUnit: '1s',
      duration: DURATION,
      // the provider takes up to 4 s, so a service that waits for it needs four users for each arrival
      preAllocatedVUs: Math.max(50, RATE * 4),
      maxVUs: Math.max(50, RATE * 16),
    },
  },
  // stage 1 is meant to fail these
  thresholds: {
    http_req_failed: ['rate==0'],
    http_req_duration: ['p(95)<50'],
    dropped_iterations: ['count==0'],
    checks: ['rate==1'],
  },
  summaryTrendStats: ['min', 'med', 'avg', 'p(95)', 'p(99)', 'max'],
};

export default function () {
  const user = {
    email: `k6-${RUN}-${__VU}-${__ITER}@example.org`,
    firstName: 'Ada',
    lastName: 'Lovelace',
  };
  const answer = http.post(`${BASE_URL}/api/users`, JSON.stringify(user), {
    headers: { 'Content-Type': 'application/json' },
    tags: { name: 'signup' },
    timeout: '120s',
  });
  check(answer, { 'status is 201': (r) => r.status === 201 });
}

export function handleSummary(data) {
  const value = (metric, key) => (data.metrics[metric] && data.metrics[metric].values[key]) || 0;
  const line = [
    `rate=${RATE}`,
    `requests=${value('http_reqs', 'count')}`,
    `failed=${value('http_req_failed', 'passes')}`,
    `dropped=${value('dropped_iterations', 'count')}`,
    `p50_ms=${value('http_req_duration', 'med').toFixed(2)}`,
    `p95_ms=${value('http_req_duration', 'p(95)').toFixed(2)}`,
    `p99_ms=${value('http_req_duration', 'p(99)').toFixed(2)}`,
    `max_vus=${value('vus_max', 'max')}`,
    `per_s=${value('http_reqs', 'rate').toFixed(1)}`,
  ].join(' ');
  return { stdout: `${line}\n` };
}
