import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cacheDir } from '../process/repository.ts'
import { bundledChromium } from './bundled-chromium.ts'
import { findChromium } from './chromium.ts'

let folder: string

beforeEach(async () => {
  await mkdir(cacheDir, { recursive: true })
  // Programs may not be allowed to run from the system's temporary folder.
  folder = await mkdtemp(join(cacheDir, 'test-chromium-'))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

describe('findChromium', () => {
  test('returns a browser that shows a page', async () => {
    const browser = await chromium.launch(await findChromium())
    const page = await browser.newPage()
    await page.setContent('<h1>Good morning</h1>')
    expect(await page.getByRole('heading').textContent()).toBe('Good morning')
    await browser.close()
  })

  test.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'unpacks one browser for two concurrent calls',
    async () => {
      const found = await Promise.all([bundledChromium(() => {}, folder), bundledChromium(() => {}, folder)])
      expect(found[0].executablePath).toBe(found[1].executablePath)
      const browser = await chromium.launch(found[0])
      expect(browser.version()).toMatch(/^\d+\./)
      await browser.close()
      expect(await readdir(folder)).toHaveLength(1)
    },
  )

  test('prefers CHROMIUM_PATH', async () => {
    const path = join(folder, 'browser')
    await writeFile(path, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    vi.stubEnv('CHROMIUM_PATH', path)
    expect((await findChromium()).executablePath).toBe(path)
  })

  test('rejects a CHROMIUM_PATH that does not start', async () => {
    const path = join(folder, 'nothing-here')
    vi.stubEnv('CHROMIUM_PATH', path)
    await expect(findChromium()).rejects.toThrow(path)
  })
})
