import { describe, expect } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { startDnsServer } from '#test/mail/dns-server.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { runInProcess } from '#test/sites/run-in-process.ts'

const it = deliveryTest().extend('run', { scope: 'file' }, ({ delivery }) => {
  const { config } = delivery.site.context
  return async (...args: string[]) => (await runInProcess(['deliveries', ...args], config)).printed
})
const key = '11-20-26-A'

describe('deliveries', () => {
  it.for([
    [['send'], "unknown command 'send'"],
    [['digest'], "missing required argument 'day'"],
    [['digest', '13-20-26'], 'A day is MM-DD-YY'],
    [['digest', '2026-11-20'], 'A day is MM-DD-YY'],
    [['digest', '11-20-26', 'again'], 'too many arguments'],
    [['check', 'mail.example.com'], 'It must be an IP address'],
    [['check', '--dns'], 'argument missing'],
    [['check', '--dns', 'ns.example.com'], 'It must be an IP address'],
    [['check', '--dns', '192.0.2.53:0'], 'It must be an IP address'],
  ] as const)('exits with 2 for %j, and does nothing', async ([args, says], { delivery }) => {
    const { config } = delivery.site.context
    const { code, printed, errors } = await runInProcess(['deliveries', ...args], config)
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(errors).toContain(says)
    expect(await delivery.db.deliveryRun.count()).toBe(0)
  })

  it('check asks the DNS server that is named', async ({ delivery }) => {
    const { config } = delivery.site.context
    const dns = await startDnsServer({ '1.2.0.192.in-addr.arpa': { PTR: ['mail.example.com'] } })
    const { printed, code } = await runInProcess(['deliveries', 'check', '192.0.2.1', '--dns', dns], config)
    expect(printed).toContain('PTR of 192.0.2.1\n  mail.example.com\n')
    expect(code).toBe(1)
  })

  it('holds and releases all sending, and shows it', async ({ delivery, run }) => {
    const { site, script, send } = delivery
    await createRecipient(site)
    // The command has the machine's clock, and shows the last days.
    site.clock.moveTo(systemClock.now())
    expect(await run('summary')).toBe('Sending is on.\nNothing was planned in the last three days.\n')
    expect(await run('hold')).toBe('All sending is held.\n')
    const planned = await delivery.publish(key, ['First'], { deliver: true })
    await send(planned)
    expect(script.sent).toEqual([])
    expect(await run('summary')).toContain(
      `All sending is held: 'tidings deliveries release' releases it.\n${key}  planned: planned 1`,
    )
    expect(await run('summary')).toContain('\n  email waits, held: An operator holds all sending.')
    expect(await run('release')).toBe('Sending is released.\n')
    await send(planned)
    expect(script.sent).toHaveLength(1)
    expect(await run('summary')).toContain(`${key}  done: sent 1`)
  })

  it('texts codes to new accounts again, and shows that they were stopped', async ({ delivery, run }) => {
    // The command has the machine's clock.
    const stoppedUntil = new Date(systemClock.now().getTime() + 3_600_000)
    await delivery.db.phoneCodeStop.updateMany({ data: { stoppedUntil } })
    const shown = `Codes to new accounts are stopped until ${stoppedUntil.toISOString()}.`
    expect(await run('summary')).toContain(`Sending is on.\n${shown}\n`)
    expect(await run('allow-codes')).toBe('New accounts get codes by text again.\n')
    expect(await run('allow-codes')).toBe('Codes to new accounts are not stopped.\n')
    expect(await run('summary')).not.toContain(shown)
  })

  it('plans the digest of a day once, unless nothing is published', async ({ delivery, run }) => {
    const { site, script, send } = delivery
    await createRecipient(site, { customFields: { combinestatus: true } })
    expect(await run('digest', '11-18-26')).toContain('Nothing is published on this day')
    await delivery.publish('11-18-26-A', ['Old ships'])
    expect(await run('digest', '11-18-26')).toContain('The digest is planned')
    expect(await run('digest', '11-18-26')).toContain('This day has a digest already')
    const digest = await delivery.findDigest('2026-11-18')
    site.clock.moveTo(digest?.sendAfter ?? site.clock.now())
    await send(digest)
    expect(script.sent).toHaveLength(1)
  })

  it('makes a restored database the one that sends', async ({ delivery, run }) => {
    const { db } = delivery
    await run('release')
    await db.deliveryControl.update({ where: { id: 1 }, data: { instance: 'the database of the backup' } })
    expect(await run('summary')).toContain('This database was restored or copied to another database server.')
    expect(await run('confirm-instance', '--yes')).toBe('This database sends from now on.\n')
    expect(await run('summary')).toContain('Sending is on.')
  })
})
