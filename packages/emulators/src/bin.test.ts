import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'

function start(env: Record<string, string>) {
  const options = { env: { ...process.env, ...env } }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bin.ts')], options)
  return {
    child,
    lines: createInterface({ input: child.stdout }),
    errors: createInterface({ input: child.stderr }),
  }
}

describe('the emulators as a program', () => {
  test('print their addresses as one line of JSON and stop on SIGTERM', async () => {
    const { child, lines } = start({ SANDBOX_PORT: '0', SMTP_PORT: '0' })
    const [line] = await once(lines, 'line')
    const { inboxUrl, smtpUrl, identityUrl, githubUrl } = JSON.parse(String(line))
    expect(smtpUrl).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${inboxUrl}/messages`)).status).toBe(200)
    const discovery = await fetch(`${identityUrl}/.well-known/openid-configuration`)
    expect(await discovery.json()).toMatchObject({ issuer: identityUrl })
    expect((await fetch(`${githubUrl}/user`)).status).toBe(401)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  test('name the setting of a port that is taken', async () => {
    const first = start({ SANDBOX_PORT: '0', SMTP_PORT: '0' })
    const [line] = await once(first.lines, 'line')
    const { port } = new URL(JSON.parse(String(line)).inboxUrl)
    const second = start({ SANDBOX_PORT: port, SMTP_PORT: '0' })
    const [error] = await once(second.errors, 'line')
    expect(String(error)).toContain('SANDBOX_PORT')
    first.child.kill('SIGTERM')
    await once(first.child, 'close')
  })

  test('name an invalid port setting', async () => {
    const { errors } = start({ SANDBOX_PORT: 'often' })
    const [error] = await once(errors, 'line')
    expect(String(error)).toContain(`SANDBOX_PORT is 'often'`)
  })

  test('name an invalid redirect origin', async () => {
    const { errors } = start({
      SANDBOX_PORT: '0',
      IDENTITY_REDIRECT_ORIGINS: 'https://a.example, b.example/',
    })
    const [error] = await once(errors, 'line')
    expect(String(error)).toContain(`IDENTITY_REDIRECT_ORIGINS has 'b.example/'`)
  })

  test('stop in production unless SANDBOX is on', async () => {
    const { child, errors } = start({ NODE_ENV: 'production', SANDBOX_PORT: '0' })
    const [error] = await once(errors, 'line')
    expect(String(error)).toContain('SANDBOX is on')
    expect(await once(child, 'close')).toEqual([1, null])
  })

  test('print a warning in production with SANDBOX on', async () => {
    const { child } = start({ NODE_ENV: 'production', SANDBOX: 'on', SANDBOX_PORT: '0' })
    const [written] = await once(child.stderr, 'data')
    expect(String(written)).toContain('SANDBOX: emails and texts are not sent')
    child.kill('SIGTERM')
    await once(child, 'close')
  })
})
