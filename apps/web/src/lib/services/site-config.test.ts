import { describe, expect, it } from 'vitest'
import { parseSiteConfig, readSiteConfig } from './site-config.ts'

describe('the site config', () => {
  it('is read from the JSON element of the shell', () => {
    const config = { ...parseSiteConfig('{}'), siteName: 'Quiet', slots: [{ label: '7AM', minutes: 420 }] }
    document.head.innerHTML = `<script type="application/json" id="site-config">${JSON.stringify(config)}</script>`
    expect(readSiteConfig(document)).toEqual(config)
  })

  it.each(['', '{', '{}', '[]', 'null', '{"slots":[],"legal":3}'])(
    'is that of development for %o',
    (json) => {
      const config = parseSiteConfig(json)
      expect(config.siteName).toBe('Tidings')
      expect(config.slots.map(({ label }) => label)).toEqual(['10AM', '3PM', '8PM'])
      expect(config.tagManagerId).toBe('')
    },
  )
})
