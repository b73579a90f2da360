import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, browserArgs, browserStarts, currentEnv } from './browser.ts'
import { bundledChromium } from './bundled-chromium.ts'

export type { Browser } from './browser.ts'

const installedNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const installedPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Returns a Chromium for tests: the one at `CHROMIUM_PATH`, else an installed one, else the bundled one.
 * Several processes may call it at once. Rejects with what to do when there is none.
 */
export async function findChromium(onProgress: (line: string) => void = () => {}): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (await browserStarts(given)) return { executablePath: given, args: browserArgs, env: currentEnv() }
    throw new Error(`CHROMIUM_PATH is ${given}, but no browser starts from there.`)
  }
  const fromPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => installedNames.map((name) => join(dir, name)))
  for (const path of [...fromPath, ...installedPaths]) {
    // Some systems have a stub there that only prints how to install a browser.
    if (existsSync(path) && (await browserStarts(path)))
      return { executablePath: path, args: browserArgs, env: currentEnv() }
  }
  return bundledChromium(onProgress)
}
