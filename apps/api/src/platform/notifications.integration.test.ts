import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'
import { createDatabase, type Database } from './database.ts'
import { createNotifications, notify } from './notifications.ts'

let url: string
let database: Database

beforeAll(async () => {
  url = await createTestDatabase()
  const { logger } = createCapturedLog()
  database = createDatabase({ url, connections: 2, logger, applicationName: 'sender' })
  return () => database.close()
})

/** A listener of its own name, with notes of all that it hears and meets. */
function setUp(name: string, address = url) {
  const log = createCapturedLog()
  const notifications = createNotifications({ url: address, logger: log.logger, applicationName: name })
  onTestFinished(() => notifications.stop())
  const heard: string[] = []
  notifications.on('tidings_new_memo', (payload) => void heard.push(payload))
  notifications.onLost(() => void heard.push('(lost)'))
  notifications.onRestored(() => void heard.push('(restored)'))
  return { notifications, heard, log }
}

async function send(payload: string): Promise<void> {
  await notify(database.db, 'tidings_new_memo', payload)
}

/** How many connections of this listener the database knows. */
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
  it('are heard in order, from the commit on, and never without one', async () => {
    const { notifications, heard } = setUp('in-order')
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

    await vi.waitFor(() => expect(heard).toEqual(['first', 'second', 'third "é" 🙂']), waitOptions)
  })

  it('go on after the line was lost: whoever listens is told of the loss and of its end', async () => {
    const { notifications, heard } = setUp('lost')
    await notifications.start()

    await endConnectionOf('lost')
    await vi.waitFor(() => expect(heard).toEqual(['(lost)', '(restored)']), waitOptions)
    await send('after')

    await vi.waitFor(() => expect(heard).toEqual(['(lost)', '(restored)', 'after']), waitOptions)
    expect(notifications.isListening()).toBe(true)
    expect(await connectionsOf('lost')).toBe(1)
  })

  it('begin later when the database is not there at first', async () => {
    const late = new URL(url)
    late.pathname = `${late.pathname}_late`
    const { notifications, heard } = setUp('late', late.href)

    await notifications.start()
    const atFirst = notifications.isListening()
    await database.pool.query(`CREATE DATABASE ${pg.escapeIdentifier(late.pathname.slice(1))}`)

    await vi.waitFor(() => expect(heard).toEqual(['(restored)']), waitOptions)
    expect(atFirst).toBe(false)
    expect(notifications.isListening()).toBe(true)
  })

  it('reach the other handlers when one fails', async () => {
    const { notifications, heard, log } = setUp('failing')
    notifications.on('tidings_invalidate', () => {
      throw new Error('cannot handle this')
    })
    notifications.on('tidings_invalidate', (payload) => void heard.push(payload))
    await notifications.start()

    await notify(database.db, 'tidings_invalidate', 'x')

    await vi.waitFor(() => expect(heard).toEqual(['x']), waitOptions)
    expect(log.expectNoErrors).toThrow('cannot handle this')
    expect(notifications.isListening()).toBe(true)
  })

  it('end with stop, connection and all', async () => {
    const { notifications, heard } = setUp('stopped')
    await notifications.start()

    await notifications.stop()
    await send('unheard')

    await vi.waitFor(async () => expect(await connectionsOf('stopped')).toBe(0), waitOptions)
    expect(notifications.isListening()).toBe(false)
    expect(heard).toEqual([])
  })

  it('do not begin when they are stopped while the line is being opened', async () => {
    const { notifications } = setUp('early')

    const starting = notifications.start()
    await notifications.stop()
    await starting

    await vi.waitFor(async () => expect(await connectionsOf('early')).toBe(0), waitOptions)
    expect(notifications.isListening()).toBe(false)
  })
})
