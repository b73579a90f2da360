import { Readable } from 'node:stream'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startScriptedMailServer } from '#test/mail/scripted-mail-server.ts'
import { createSmtpTransport } from './smtp-transport.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Starts a server with these replies, and a transport to it. `hears` waits for a command. */
async function start(replies: Record<string, string>) {
  const heard = new Map<string, PromiseWithResolvers<void>>()
  const waitFor = (command: string) => {
    const waiting = heard.get(command) ?? Promise.withResolvers<void>()
    heard.set(command, waiting)
    return waiting
  }
  const server = await startScriptedMailServer(replies, 0, (command) => waitFor(command).resolve())
  const transport = createSmtpTransport({ url: server.url, pool: { maxConnections: 2 }, dkim: null })
  onTestFinished(async () => {
    transport.close()
    await server.stop()
  })
  const send = (id: string, change: { text?: Readable } = {}) =>
    transport.send({ ...email, ...change, messageId: `<${id}@example.com>` })
  return { server, transport, send, hears: (command: string) => waitFor(command).promise }
}

const email = { from: 'hello@example.com', to: 'ann@example.com', subject: 'News', text: 'News' }

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

describe('a server that has the message', () => {
  it('is given minutes to reply', async () => {
    const { server, send, hears } = await start({ 'end of data': 'wait' })
    useFakeTimers()
    const sent = send('1')
    await hears('end of data')
    await vi.advanceTimersByTimeAsync(9 * 60_000)
    server.say('250 fine')
    expect(await sent).toBeNull()
  })

  it('may have accepted it when the process ends', async () => {
    const { transport, send, hears } = await start({ 'end of data': 'wait' })
    const sent = send('1')
    await hears('end of data')
    transport.finish(1)
    expect(await sent).toMatchObject({ wasHandedOver: true, error: { code: 'ECLOSED' } })
    expect(await send('2')).toMatchObject({ wasHandedOver: false, error: { code: 'ECLOSED' } })
  })

  it('keeps no other connection waiting', async () => {
    const replies = { 'end of data': 'wait' }
    const { server, send, hears } = await start(replies)
    const first = send('1')
    await hears('end of data')
    replies['end of data'] = '250 fine'
    expect(await Promise.all([send('2'), send('3')])).toEqual([null, null])
    server.say('250 fine')
    expect(await first).toBeNull()
  })
})

describe('a server that does not have the message', () => {
  it.each(['MAIL FROM', 'RCPT TO', 'DATA'])(
    'and is silent after %s is left after five minutes',
    async (command) => {
      const { send, hears } = await start({ [command]: 'wait' })
      useFakeTimers()
      const sent = send('1')
      await hears(command)
      await vi.advanceTimersByTimeAsync(5 * 60_000)
      expect(await sent).toMatchObject({ wasHandedOver: false, error: { code: 'ETIMEDOUT' } })
    },
  )

  it('may take minutes for its checks', async () => {
    const { server, send, hears } = await start({ 'MAIL FROM': 'wait', 'RCPT TO': 'wait', DATA: 'wait' })
    useFakeTimers()
    const sent = send('1')
    for (const [command, seconds, reply] of [
      ['MAIL FROM', 25, '250 fine'],
      ['RCPT TO', 25, '250 fine'],
      ['DATA', 200, '554 no'],
    ] as const) {
      await hears(command)
      await vi.advanceTimersByTimeAsync(seconds * 1000)
      server.say(reply)
    }
    expect(await sent).toMatchObject({ error: { responseCode: 554 } })
  })

  it('and stops taking it is left after a minute', async () => {
    const { server, send, hears } = await start({ 'RCPT TO': 'wait' })
    useFakeTimers()
    const text = new Readable({ read: () => {} })
    const sent = send('1', { text })
    await hears('RCPT TO')
    await vi.advanceTimersByTimeAsync(200_000)
    server.say('250 fine')
    text.push('News\r\n'.repeat(1_000))
    await hears('message')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await sent).toMatchObject({ wasHandedOver: false, error: { code: 'ETIMEDOUT' } })
  })

  it('has certainly not accepted it when the process ends', async () => {
    const { transport, send, hears } = await start({ 'RCPT TO': 'wait' })
    const sent = send('1')
    await hears('RCPT TO')
    transport.finish(1)
    expect(await sent).toMatchObject({ wasHandedOver: false, error: { code: 'ECLOSED' } })
  })
})
