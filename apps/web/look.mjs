import { chromium } from '@playwright/test'
import { findChromium } from '@tidings/launcher/chromium'
const { executablePath, args, env } = await findChromium()
const browser = await chromium.launch({ executablePath, args: [...args], env })
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: process.env.STATE || undefined })
const page = await context.newPage()
page.on('console', (m) => m.type() === 'error' && console.log('console', m.text()))
if (process.env.LINK) { await page.goto(process.env.LINK); await page.getByRole('button', { name: 'Sign in' }).click(); await page.waitForURL(/desk\/?$/); await context.storageState({ path: '/tmp/x-state.json' }) }
for (const step of process.argv.slice(2)) {
  const [path, file, w, h, dark] = step.split('|')
  if (w) await page.setViewportSize({ width: +w, height: +h })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  await page.goto('http://localhost:3190' + path); await page.waitForTimeout(2500)
  await page.screenshot({ path: file })
}
await browser.close()
