import { describe, expect, it } from 'vitest'
import { parseSiteConfig, readSiteConfig } from './site-config.ts'

describe('the site config', () => {
  it('comes from the JSON element of the shell', () => {
    document.head.innerHTML = '<script type="application/json" id="site-config">{"siteName":"Quiet"}</script>'
    expect(readSiteConfig(document).siteName).toBe('Quiet')
  })

  it.each(['', '{', '[]', 'null', '{"slots":[],"legal":3}'])(
    'has the defaults of development for %o',
    (json) => {
      const config = parseSiteConfig(json)
      expect(config.siteName).toBe('Tidings')
      expect(config.slots.map(({ label }) => label)).toEqual(['10AM', '3PM', '8PM'])
      expect(config.tagManagerId).toBe('')
    },
  )

  it('takes the slots as they are configured, leaving out what is none', () => {
    const config = parseSiteConfig('{"slots":[{"label":"7AM","minutes":420},{"label":"9PM"}]}')
    expect(config.slots).toEqual([{ label: '7AM', minutes: 420 }])
  })
})
