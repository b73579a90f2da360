import { describe, expect, test } from 'vitest'
import { createSmsLinks } from '#features/delivery/links/sms-links.ts'
import { createDeliverySms } from './delivery-sms.ts'

function warningFor(name: string): string | null {
  const siteUrl = new URL('https://news.example.com')
  return createDeliverySms({
    site: { name, language: 'en' },
    smsLinks: createSmsLinks({ secret: 'secret', siteUrl }),
    maxSegments: 2,
    price: { amount: 0.01, currency: 'EUR' },
  }).nameWarning()
}

describe('nameWarning', () => {
  test.each([
    ['Tidings', null],
    ['Zürich & Ñandu', null],
    ['Noticias de Bogotá', 'SITE_NAME is written "Noticias de Bogota" in texts'],
    ['Tidings™', 'SITE_NAME is written "TidingsTM" in texts'],
    ['Вести', expect.stringContaining('needs UCS-2')],
    ['🗞️', expect.stringContaining('needs UCS-2')],
  ])('%s', (name, warning) => expect(warningFor(name)).toEqual(warning))
})
