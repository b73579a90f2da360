import { createECDH } from 'node:crypto'
import type { SiteConfig } from '@tidings/contracts/site/site-config'
import { describe, expect, it } from 'vitest'
import { configOf, production } from '#test/test-config.ts'
import { toSiteConfig, writeLanguage, writeSiteConfig } from './site-config.ts'

const shell =
  '<!doctype html><title>Tidings</title><script type="application/json" id="site-config">{}</script><script src="/x.js"></script>'

const config: SiteConfig = {
  siteName: 'Tidings',
  timeZone: 'UTC',
  slots: [{ label: '10AM', minutes: 600 }],
  appId: '',
  appPublicKey: '',
  phoneRegion: 'US',
  smsCountries: ['US'],
  tagManagerId: '',
  stagingHost: '',
  editionComments: false,
  notifications: true,
  customerOnDeletion: 'delete',
  legal: { company: '', editorInChief: '', contactEmail: '', address: '', artworkCredit: '' },
}

/** Parses the configuration from the page, as a browser does. */
function readBack(page: string): unknown {
  const text = /<script type="application\/json" id="site-config">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  return JSON.parse(text)
}

it('says whether the site has notifications', () => {
  const key = createECDH('prime256v1')
  const keys = {
    VAPID_PUBLIC_KEY: key.generateKeys('base64url'),
    VAPID_PRIVATE_KEY: key.getPrivateKey('base64url'),
  }
  expect(toSiteConfig(configOf(production)).notifications).toBe(false)
  expect(toSiteConfig(configOf({ ...production, ...keys })).notifications).toBe(true)
})

describe('writeSiteConfig', () => {
  it.each([
    'Tidings',
    'Morgen & Abend',
    '</script><script>alert(1)</script>',
    '</SCRIPT ><img src=x onerror=alert(1)>',
    '<!--<script>',
    '</title><script>alert(1)</script>',
    '"quoted" and \\escaped\\',
    "$& $1 $` $' $$",
    'line\nend \u2028 \u2029',
    '<script type="application/json" id="site-config">',
    '日本語 🗞️',
  ])('contains the name %j, escaped', (siteName) => {
    const page = writeSiteConfig(shell, { ...config, siteName })
    expect(readBack(page)).toEqual({ ...config, siteName })
    expect(page.match(/<script/gi)).toHaveLength(2)
    expect(page.match(/<\/script/gi)).toHaveLength(2)
    expect(page.match(/<img|<!--/gi)).toBeNull()
  })

  it('writes the name into the title, as text', () => {
    const page = writeSiteConfig(shell, { ...config, siteName: 'A & B <i>' })
    expect(page).toContain('<title>A &amp; B &lt;i&gt;</title>')
  })

  it('replaces the content of the element, repeatedly', () => {
    const once = writeSiteConfig(shell, { ...config, siteName: 'First' })
    expect(readBack(writeSiteConfig(once, { ...config, siteName: 'Second' }))).toMatchObject({
      siteName: 'Second',
    })
  })

  it('rejects a page without the element', () => {
    expect(() => writeSiteConfig('<title>x</title>', config)).toThrow(/site-config/)
  })
})

describe('writeLanguage', () => {
  it.each([
    ['en-GB', 'ltr', 'english'],
    ['pt-BR', 'ltr', 'latin'],
    ['vi', 'ltr', 'latin'],
    ['ru', 'ltr', 'english'],
    ['ar', 'rtl', 'english'],
    ['he-IL', 'rtl', 'english'],
    ['ur', 'rtl', 'english'],
    ['az-Latn-IR', 'ltr', 'latin'],
    ['tlh', 'ltr', 'latin'],
  ])('replaces the language of the page by %s, written %s with %s fonts', (language, direction, fonts) => {
    expect(writeLanguage('<!doctype html>\n<html lang="en">\n<p lang="en">', language)).toBe(
      `<!doctype html>\n<html lang="${language}" dir="${direction}" data-fonts="${fonts}">\n<p lang="en">`,
    )
  })

  it('rejects a page without a language', () => {
    expect(() => writeLanguage('<!doctype html><title>x</title>', 'ar')).toThrow(/lang/)
  })
})
