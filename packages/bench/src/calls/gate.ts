import { passGate as passGateRoute } from '@tidings/contracts/routes'

/** Enters the site's password and returns a Cookie header with the gate pass. */
export async function passGate(url: string, password: string): Promise<string> {
  const response = await fetch(url + passGateRoute.path, {
    method: passGateRoute.method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ password }),
  })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  if (!response.ok || cookies.length === 0) {
    throw new Error(`The gate of ${url} responded with ${response.status}: ${await response.text()}`)
  }
  return cookies.join('; ')
}
