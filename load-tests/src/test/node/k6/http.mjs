// In place of k6's module "k6/http": a request that is over when the call returns, as in k6. Node can only wait for
// another process, so that one sends it.
import { spawnSync } from 'node:child_process';

const SEND = `
  const [url, body, headers] = JSON.parse(process.argv[1]);
  fetch(url, { method: 'POST', body, headers })
    .then(async (r) => console.log(JSON.stringify({ status: r.status, body: await r.text() })));
`;

function post(url, body, params) {
  const sent = spawnSync(process.execPath, ['-e', SEND, JSON.stringify([url, body, params.headers])], {
    encoding: 'utf8',
    timeout: 30000,
  });
  return sent.status === 0 ? JSON.parse(sent.stdout) : { status: 0, body: sent.stderr };
}

export default { post };
