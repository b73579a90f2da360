import type { Page } from '@playwright/test'
import { expect, test } from './reader.ts'

/** English, French and German, Polish, Vietnamese, and punctuation. */
const texts = ['Café, El Niño — “naïve”', 'Œuvre, Größe, «à»', 'Łódź, Čapek', 'Nguyễn Ái Quốc', '½ § ™ …']

test.describe('the web fonts', () => {
  test('draw every Latin text, whatever the language of the site', async ({ reader }) => {
    await reader.goto('/#/home')
    await expect(reader.locator('button.memo-title').last()).toBeVisible()
    for (const text of texts) {
      for (const [family, style] of [
        ['Newsreader', 'normal 400'],
        ['Newsreader', 'italic 600'],
        ['Newsreader', 'normal 700'],
      ] as const) {
        expect(await fontsOf(reader, { text, style, family: '--serif' }), `${text} in ${style}`).toEqual([
          family,
        ])
      }
    }
    // Figtree has no Vietnamese letters.
    for (const text of texts.filter((text) => !text.startsWith('Nguyễn'))) {
      expect(await fontsOf(reader, { text, style: 'normal 500', family: '--sans' }), text).toEqual([
        'Figtree',
      ])
    }
  })

  test('are one file each, all Latin letters, on a site in another language', async ({
    reader,
    consoleErrors,
  }) => {
    const requested: string[] = []
    await reader.route('**/*.woff2', async (route) => {
      requested.push(route.request().url())
      await route.continue()
    })
    await reader.route('/', async (route) => {
      const response = await route.fetch()
      const html = (await response.text()).replace('data-fonts="english"', 'data-fonts="latin"')
      await route.fulfill({ response, body: html })
    })
    await reader.goto('/#/home')
    await expect(reader.locator('button.memo-title').last()).toBeVisible()
    await reader.evaluate(() => document.fonts.ready.then(() => null))
    expect(requested.map((url) => /static\/([a-z]+-[a-z]+)-wght-normal/.exec(url)?.[1]).sort()).toEqual([
      'figtree-latin',
      'newsreader-latin',
    ])
    // The browser takes the changed page for a foreign one, whose socket it blocks.
    consoleErrors.ignore()
  })
})

/** Returns the families of the fonts that draw a text, with an asterisk for one of the device. */
async function fontsOf(
  page: Page,
  { text, style, family }: { text: string; style: string; family: '--serif' | '--sans' },
): Promise<string[]> {
  await page.evaluate(
    async ({ text, style, family }) => {
      document.querySelector('#font-sample')?.remove()
      const sample = document.createElement('p')
      sample.id = 'font-sample'
      sample.textContent = text
      sample.style.font = `${style} 1rem/1.5 var(${family})`
      document.querySelector('main')?.append(sample)
      // Layout requests the files of the text's characters.
      sample.getBoundingClientRect()
      await document.fonts.ready
    },
    { text, style, family },
  )
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: '#font-sample',
  })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  await session.detach()
  return [
    ...new Set(fonts.map((font) => `${font.familyName.replace(/ .*/, '')}${font.isCustomFont ? '' : '*'}`)),
  ]
}
