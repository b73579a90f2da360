import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { startTcpProxy } from '#test/faults/tcp-proxy.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'
import { createDatabase, type Database } from '../database.ts'
import { createNotifications, notify } from './notifications.ts'

let url: string
let database: Database

beforeAll(async () => {
  url = await createTestDatabase()
  const { logger } = createCapturedLog()
  database = createDatabase({ url, connections: 2, waitSeconds: 60, logger, applicationName: 'sender' })
  return () => database.close()
})

/** Creates a listener with this name that records notifications and connection changes. */
function createListener(name: string, options: { address?: string; listenUrl?: string } = {}) {
  const log = createCapturedLog()
  const { logger } = log
  const address = options.address ?? url
  const listenUrl = options.listenUrl ?? address
  const notifications = createNotifications({ url: address, listenUrl, logger, applicationName: name })
  onTestFinished(() => notifications.stop())
  const received: string[] = []
  notifications.on('tidings_new_memo', (payload) => void received.push(payload))
  notifications.onLost(() => void received.push('(lost)'))
  notifications.onRestored(() => void received.push('(restored)'))
  return { notifications, received, log }
}

async function send(payload: string): Promise<void> {
  await notify(database.db, 'tidings_new_memo', payload)
}

/** Returns the number of this listener's database connections. */
async function connectionsOf(name: string): Promise<number> {
  const { rows } = await database.pool.query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1', [
    `${name} listener`,
  ])
  return rows.length
}

async function endConnectionOf(name: string): Promise<void> {
  await database.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1',
    [`${name} listener`],
  )
}

describe('notifications', () => {
  it('arrive in order after the commit, and never without one', async () => {
    const { notifications, received } = createListener('in-order')
    await notifications.start()

    await database.transaction(async (tx) => {
      await notify(tx, 'tidings_new_memo', 'first')
      await notify(tx, 'tidings_new_memo', 'second')
    })
    await database
      .transaction(async (tx) => {
        await notify(tx, 'tidings_new_memo', 'never')
        throw new Error('no')
      })
      .catch(() => undefined)
    await send('third "é" 🙂')

    await vi.waitFor(() => expect(received).toEqual(['first', 'second', 'third "é" 🙂']), waitOptions)
  })

  it('resume after a lost connection, and listeners are informed of both', async () => {
    const { notifications, received } = createListener('lost')
    await notifications.start()

    await endConnectionOf('lost')
    await vi.waitFor(() => expect(received).toEqual(['(lost)', '(restored)']), waitOptions)
    await send('after')

    await vi.waitFor(() => expect(received).toEqual(['(lost)', '(restored)', 'after']), waitOptions)
    expect(notifications.isListening()).toBe(true)
    expect(await connectionsOf('lost')).toBe(1)
  })

  it('start once an unavailable database becomes available', async () => {
    const late = new URL(url)
    late.pathname = `${late.pathname}_late`
    const { notifications, received } = createListener('late', { address: late.href })

    await notifications.start()
    const atFirst = notifications.isListening()
    await database.pool.query(`CREATE DATABASE ${pg.escapeIdentifier(late.pathname.slice(1))}`)

    await vi.waitFor(() => expect(received).toEqual(['(restored)']), waitOptions)
    expect(atFirst).toBe(false)
    expect(notifications.isListening()).toBe(true)
  })

  it('count as lost at the start while none comes back, and the log says what to set', async () => {
    // LISTEN succeeds there and hears nothing, as through a pooler in transaction mode.
    const deaf = new URL(await createTestDatabase())
    const { notifications, received, log } = createListener('deaf', { listenUrl: deaf.href })

    await notifications.start()

    expect(notifications.isListening()).toBe(false)
    expect(received).toEqual([])
    expect(log.lines.join('')).toContain('set DATABASE_LISTEN_URL')
  })

  it('count as lost within ten seconds of silence while the database is up, and resume', async () => {
    const proxy = await startTcpProxy(url)
    const { notifications, received } = createListener('silent', { listenUrl: proxy.url })
    await notifications.start()
    const atFirst = notifications.isListening()

    proxy.freeze()
    await vi.waitFor(() => expect(received).toEqual(['(lost)']), { ...waitOptions, timeout: 10_000 })
    const whileSilent = notifications.isListening()
    proxy.thaw()
    await vi.waitFor(() => expect(received).toEqual(['(lost)', '(restored)']), waitOptions)

    expect([atFirst, whileSilent, notifications.isListening()]).toEqual([true, false, true])
  })

  it('reach all handlers when one fails', async () => {
    const { notifications, received, log } = createListener('failing')
    notifications.on('tidings_invalidate', () => {
      throw new Error('cannot handle this')
    })
    notifications.on('tidings_invalidate', (payload) => void received.push(payload))
    await notifications.start()

    await notify(database.db, 'tidings_invalidate', 'x')

    await vi.waitFor(() => expect(received).toEqual(['x']), waitOptions)
    expect(log.expectNoErrors).toThrow('cannot handle this')
    expect(notifications.isListening()).toBe(true)
  })

  it('end with stop, which closes the connection', async () => {
    const { notifications, received } = createListener('stopped')
    await notifications.start()

    await notifications.stop()
    await send('unheard')

    await vi.waitFor(async () => expect(await connectionsOf('stopped')).toBe(0), waitOptions)
    expect(notifications.isListening()).toBe(false)
    expect(received).toEqual([])
  })

  it('do not start when stopped while connecting', async () => {
    const { notifications } = createListener('early')

    const starting = notifications.start()
    await notifications.stop()
    await starting

    await vi.waitFor(async () => expect(await connectionsOf('early')).toBe(0), waitOptions)
    expect(notifications.isListening()).toBe(false)
  })
})
