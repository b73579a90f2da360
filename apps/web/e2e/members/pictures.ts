import { expect, type Page, type TestInfo } from '@playwright/test'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { fontsLoaded } from '../reader.ts'

const schemes = [
  { name: 'light', violationsIn: violationsInLight },
  { name: 'dark', violationsIn: violationsInDark },
]

/** Returns a function that checks a screen with axe and pictures all of it, in light and in dark, in the test's output. */
export function createPictures(testInfo: TestInfo, folder: string) {
  let count = 0
  return async (page: Page, step: string): Promise<void> => {
    count += 1
    const number = String(count).padStart(2, '0')
    await fontsLoaded(page)
    for (const { name, violationsIn } of schemes) {
      expect(await violationsIn(page), `${step}, ${name}`).toEqual([])
      const path = testInfo.outputPath(folder, `${number}-${step}-${name}.png`)
      await page.screenshot({ path, fullPage: true, animations: 'disabled' })
    }
    await page.emulateMedia({ colorScheme: 'light' })
  }
}
