import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { MailReport } from '#integrations/mail/reports/mail-report.ts'
import { createSmtpBulkMailer } from '#integrations/mail/smtp-bulk-mailer.ts'
import { createSmtpMailer } from '#integrations/mail/smtp-mailer.ts'
import { systemClock } from '#platform/clock.ts'
import { startBounceReceiver } from '#test/mail/bounce-receiver.ts'
import { startDnsServer } from '#test/mail/dns-server.ts'
import { waitOptions } from '#test/wait-options.ts'
import { relayPort, startExims } from './exim.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const dkim = { domain: 'news.example.com', selector: 's1', privateKey }
const sender = {
  url: `smtp://127.0.0.1:${relayPort}`,
  from: 'Tidings, Zürich <hello@news.example.com>',
  clock: systemClock,
  dkim,
}
// The parts of a message that servers may change: long lines, dots, spaces at the end, letters outside of ASCII.
const body = `Grüße \n.\n..\nFrom here on  \n${'long '.repeat(400)}\n\n\n`
const edition = {
  subject: 'Friday, November 20: “Ships” – and more',
  html: { parts: [`<p>${body}`, '</p>'], values: ['<a href="https://news.example.com/l/é">view</a>'] },
  text: { parts: [body], values: [] },
  headers: {
    'List-Id': '<memo.news.example.com>',
    'List-Unsubscribe': `<https://news.example.com/l/unsubscribe/${'t'.repeat(150)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
  attachment: { name: 'edition.pdf', type: 'application/pdf', bytes: Buffer.alloc(50_000, '%PDF') },
}

it('Exim verifies the DKIM signatures of a code and of an edition, and its bounces are read', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-exim-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const p = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  await startDnsServer({ 's1._domainkey.news.example.com': { TXT: [`v=DKIM1; k=rsa; p=${p}`] } }, 53)
  const bounced: [string, MailReport][] = []
  const { port: bouncePort } = await startBounceReceiver({
    isReturnAddress: (address) => address.startsWith('b.'),
    admit: () => true,
    async receive(address, report) {
      bounced.push([address, report])
    },
  })
  const exim = await startExims(folder, { bouncePort })
  onTestFinished(() => exim.stop())
  const mailer = createSmtpMailer(sender)
  const bulkMailer = createSmtpBulkMailer({ ...sender, connections: 2, perSecond: 0 })
  onTestFinished(() => [mailer, bulkMailer].forEach((each) => void each.close()))

  const code = {
    subject: 'Ihr Code für Zürich',
    html: `<p>${body}</p>`,
    text: `${body}418206`,
    messageId: 'code-1',
  }
  await mailer.send({ ...code, to: 'ann@members.example' })
  for (const [id, to] of [
    ['1', 'ann@members.example'],
    ['2', 'gone@members.example'],
  ] as const) {
    const envelopeFrom = `b.${id}@bounces.example.com`
    const result = await bulkMailer.send({ ...edition, to, envelopeFrom, messageId: `delivery-${id}` })
    expect(result).toEqual({ outcome: 'accepted' })
  }

  await expect.poll(() => exim.mails().then(({ length }) => length), waitOptions).toBe(2)
  for (const mail of await exim.mails()) expect(mail).toMatch(/^X-Dkim: news\.example\.com pass$/m)
  await expect
    .poll(() => bounced, waitOptions)
    .toMatchObject([['b.2@bounces.example.com', { kind: 'bounced', status: '5.1.1' }]])
})
