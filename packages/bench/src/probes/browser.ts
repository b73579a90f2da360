import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '@tidings/launcher/chromium'
import type { Progress } from '@tidings/launcher/progress'
import { type BrowserContext, chromium } from 'playwright-core'
import type { Lifetime } from '../programs/lifetime.ts'

/** Screens in CSS pixels. */
const screens = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 3 },
  desk: { viewport: { width: 1440, height: 900 } },
} as const

/** Opens a browser with an empty profile and the gate pass in `cookie`. */
export async function openFreshBrowser(
  lifetime: Lifetime,
  {
    progress,
    url,
    cookie,
    screen = 'phone',
    args: moreArgs = [],
  }: {
    progress: Progress
    url: string
    cookie: string
    screen?: keyof typeof screens
    args?: string[]
  },
): Promise<BrowserContext> {
  const { executablePath, args, env } = await findChromium(progress.say)
  const profile = await mkdtemp(join(tmpdir(), 'tidings-browser-'))
  lifetime.atEnd(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...args, ...moreArgs],
    env,
    headless: true,
    ...screens[screen],
    // This process handles Ctrl-C.
    handleSIGINT: false,
    handleSIGTERM: false,
  })
  lifetime.atEnd(() => context.close())
  await context.addCookies(
    cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return { name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' as const }
    }),
  )
  return context
}
