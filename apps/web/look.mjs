import { chromium } from '@playwright/test'
import { readFileSync } from 'node:fs'
const c = await (await import('@tidings/launcher/chromium')).findChromium()
const browser = await chromium.launch({ executablePath: c.executablePath, args: c.args, env: c.env })
const link = /http\S+\/desk\/\S+/.exec(readFileSync('/tmp/x-edition.log', 'utf8').replaceAll(/\x1b\[[0-9;]*m/g, ''))[0]
console.log(link)
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
const page = await context.newPage()
page.on('console', (m) => ['error', 'warning'].includes(m.type()) && console.log(m.text()))
page.on('pageerror', (e) => console.log('PAGEERROR', e.message))
const s = await context.newCDPSession(page)
await s.send('WebAuthn.enable')
await s.send('WebAuthn.addVirtualAuthenticator', { options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } })
await page.goto(link)
const b = page.getByRole('button').first()
console.log(await b.textContent())
const n = page.getByLabel('Your name'); if (await n.count()) { if (await n.inputValue() === '') await n.fill('Ira Rossi') }
await b.click()
await page.waitForURL(/\/desk$/, { timeout: 20000 }).catch(() => console.log(page.url()))
await context.storageState({ path: '/tmp/x-edition-state.json' })
const origin = new URL(page.url()).origin
const key = process.argv[2] ?? '07-01-41-3PM'
await page.goto(`${origin}/desk/editions/${key}`)
const start = page.getByRole('button', { name: 'Start' })
await page.waitForTimeout(1500)
await page.screenshot({ path: '/tmp/x-e-0.png' })
if (await start.count()) {
  await start.click()
  for (const [t, x] of [['Harbour cities agree on one price for shore power', 'Nine harbour cities will charge ships the same price for electricity at the quay from next July. Until now each port set its own, and most captains left their engines running.'], ['A cheaper malaria vaccine passes its last trial', 'The price holds for five years. Ports that lack the cables have until 2029.'], ['', '']]) {
    await page.getByRole('button', { name: 'Add memo' }).click()
    await page.waitForURL(/memos/)
    await page.waitForTimeout(800)
    await page.getByLabel('Title').fill(t)
    await page.locator('.text-editor').fill(x)
    await page.getByText(/^Saved \d+ s ago/).waitFor()
  }
}
await page.getByRole('link', { name: 'Harbour' }).click()
await page.waitForTimeout(1000)
await page.screenshot({ path: '/tmp/x-e-1440.png' })
await page.getByText('More…').click()
await page.emulateMedia({ colorScheme: 'dark' })
await page.setViewportSize({ width: 1024, height: 768 })
await page.screenshot({ path: '/tmp/x-e-1024.png' })
await page.emulateMedia({ colorScheme: 'light' })
await page.setViewportSize({ width: 390, height: 844 })
await page.screenshot({ path: '/tmp/x-e-390.png' })
await page.getByRole('link', { name: 'All memos' }).click()
await page.waitForTimeout(600)
await page.screenshot({ path: '/tmp/x-e-390-list.png' })
await browser.close()
