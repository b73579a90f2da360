import { describe, expect, it } from 'vitest'
import { refusedAddress } from '#platform/network/only-public.ts'
import { createEndpointGuard } from './endpoint-guard.ts'

const guard = createEndpointGuard(null, async (hostname) => {
  const address = addresses[hostname]
  if (address === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  return [{ address, family: 4 }]
})
const addresses: Record<string, string> = { 'push.example': '142.250.74.36', 'inside.example': '127.0.0.1' }

function lookUp(hostname: string, all: boolean): Promise<unknown> {
  return new Promise((resolve) => {
    guard.lookUp(hostname, { all }, (error, address) => resolve(error?.code ?? address))
  })
}

describe('the addresses that browsers name', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://142.250.74.36/push',
  ])('may be %s', (endpoint) => expect(guard.read(endpoint)?.url.href).toBe(endpoint))

  it.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:444/fcm/send/abc',
    'https://user@fcm.googleapis.com/',
    'https://fcm.googleapis.com',
    'https://fcm.googleapis.com/a#b',
    ' https://fcm.googleapis.com/a',
    'https://fcm.googleapis.com/\u0000',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://[::ffff:7f00:1]/',
    'https://database/',
    'file:///etc/passwd',
    'nonsense',
  ])('may not be %s', (endpoint) => expect(guard.read(endpoint)).toBeNull())

  it('may be the emulator, under each name of this machine, and no other port of it', () => {
    const { read } = createEndpointGuard(new URL('http://localhost:3001'))
    expect(read('http://localhost:3001/push/1')?.isEmulator).toBe(true)
    expect(read('http://127.0.0.1:3001/push/1')?.isEmulator).toBe(true)
    expect(read('http://localhost:3000/push/1')).toBeNull()
    expect(read('https://localhost:3001/push/1')).toBeNull()
    expect(
      createEndpointGuard(new URL('http://sandbox:3001')).read('http://localhost:3001/push/1'),
    ).toBeNull()
  })

  it.each([true, false])('are not called if their names lead to this machine (all: %s)', async (all) => {
    expect(await lookUp('inside.example', all)).toBe(refusedAddress)
  })

  it('are accepted if their names lead to public addresses, and refused alike otherwise', async () => {
    expect(await guard.accepts('https://push.example/push')).toBe(true)
    for (const name of ['inside.example', 'unknown.example', 'nonsense']) {
      expect(await guard.accepts(`https://${name}/push`)).toBe(false)
    }
  })
})
