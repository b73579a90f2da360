import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { siteUnderTest } from '../site-under-test.config.ts'

/** A running site of another origin, whose pages use the membership service. */
export type GuestSite = { origin: string; stop(): Promise<void> }

/**
 * Serves pages with the client's script tag on a local port, 0 for a free one. The page's query sets up the client:
 * `?cookies` stores the session in a cookie, `?key=` uses another public key, `?widget` adds the dialogs; `?html=` is a
 * page of the test's own, with the Content-Security-Policy of `policy=`.
 */
export async function startGuestSite(port: number): Promise<GuestSite> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/favicon.ico') return response.writeHead(204).end()
    const policy = searchParams.get('policy')
    if (policy !== null) response.setHeader('content-security-policy', policy)
    const html = searchParams.get('html') ?? pageWith(searchParams)
    return response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, 'localhost', resolve)
  })
  return {
    origin: `http://localhost:${portOf(server.address())}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The guest site has no port')
  return address.port
}

function pageWith(query: URLSearchParams): string {
  const key = query.get('key') ?? siteUnderTest.publicKey()
  const cookies = query.has('cookies') ? ' data-use-cookies' : ''
  const script = query.has('widget') ? 'widget.js' : 'client.global.js'
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Guest site</title>
<script src="${siteUnderTest.url()}/membership/${script}" data-public-key="${key}"${cookies}></script></head>
<body><main><h1>Guest site</h1>
<label>Picture <input type="file" id="picture"></label>
<button id="go">Go on</button></main>
<script>
const changes = []
$membership.onAuthChange((member) => changes.push(member && member.auth.email))

async function drive(method, parameters) {
  try {
    return { reply: await $membership[method](...parameters) }
  } catch ({ name, code, status, message }) {
    return { failure: { name, code, status, message } }
  }
}

function upload() {
  return drive('updateMemberProfileImage', [{ profileImage: picture.files[0] }])
}

let outcome
function driveOnClick(method, parameters) {
  go.onclick = () => { outcome = drive(method, parameters) }
}
</script></body></html>`
}
