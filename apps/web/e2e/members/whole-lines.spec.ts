import type { Page } from '@playwright/test'
import { editorOf } from '../editor.ts'
import { payWith } from '../membership/checkout.ts'
import { about, mailTo } from '../membership/inbox.ts'
import { fontsLoaded } from '../reader.ts'
import { expect, expectCheckout, expectWelcome, fillSignUp, putStepsOff, submit, test } from './member.ts'

const sizes = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
  { width: 1440, height: 900 },
]

/** Returns what makes the screen wider than its window or frame, and what reads as one word but is on two lines. */
function losses(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const screen = document.getElementById('page') ?? document.documentElement
    const wide = [document.documentElement, screen]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ scrollWidth, clientWidth }) => `${scrollWidth - clientWidth} px too wide`)

    const whole = /\S?…@[\w.-]+|\(\d{3}\) \d{3}-\d{4}|\+1 \d{3} \d{3} \d{4}|\d{1,2}:\d\d\s[AP]M/g
    const range = document.createRange()
    const isBroken = () =>
      new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size > 1
    const shown = [...document.querySelectorAll('main *')].filter((element) => element.checkVisibility())
    const texts = shown
      .flatMap((element) => [...element.childNodes])
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .flatMap((node) =>
        [...(node.textContent ?? '').matchAll(whole)].flatMap(({ 0: text, index }) => {
          range.setStart(node, index)
          range.setEnd(node, index + text.length)
          return isBroken() ? [`broken: ${text}`] : []
        }),
      )
    const addresses = shown
      .filter(({ textContent }) => /^\S?…@\S+$/.test(textContent))
      .filter((element) => {
        range.selectNodeContents(element)
        return isBroken()
      })
      .map(({ textContent }) => `broken: ${textContent}`)
    return [...wide, ...texts, ...addresses]
  })
}

async function expectWhole(page: Page, screen: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    await fontsLoaded(page)
    await expect.poll(() => losses(page), `${screen} at ${size.width} px`).toEqual([])
  }
}

test('addresses, numbers and times stay in one line, and no screen is wider than its window', async ({
  reader,
}) => {
  const email = await fillSignUp(reader)
  await expectWhole(reader, 'sign-up')
  await submit(reader)
  await expectCheckout(reader)
  await payWith(reader, 'Pays')
  await expectWelcome(reader)
  await expect(reader.getByText(/a…@guest\.example/)).toBeVisible()
  await expectWhole(reader, 'steps')
  await putStepsOff(reader)
  await expect(reader.getByRole('region', { name: 'Confirm your address' })).toBeVisible()
  await expectWhole(reader, 'dashboard')
  await reader.getByRole('switch', { name: 'Evening digest' }).check()
  await reader.getByRole('link', { name: 'View memos' }).click()
  const question = reader.getByRole('dialog', { name: 'Save your changes?' })
  await expect(question).toBeVisible()
  const [box, phone] = [await question.boundingBox(), await reader.locator('.phone').boundingBox()]
  expect(box?.width ?? Number.NaN).toBeLessThan((phone?.width ?? 0) - 18)
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(reader).toHaveURL(/#\/home$/)
  await reader.goto('/#/account/change-plan')
  await expect(reader.getByRole('heading', { level: 1, name: 'Change plan' })).toBeVisible()
  await expect(reader.getByRole('radio', { name: /Yearly/ })).toBeVisible()
  await expectWhole(reader, 'change of the plan')

  const { text } = await mailTo(email, about.verification)
  await reader.goto(/^https?:.*$/m.exec(text)?.[0] ?? 'none')
  await expect(reader.getByRole('button', { name: 'Confirm', exact: true })).toBeVisible()
  await expectWhole(reader, 'confirmation')
})

test('a long address breaks before its domain', async ({ reader }) => {
  await reader.setViewportSize({ width: 390, height: 844 })
  await reader.goto('/#/resetpassword')
  await expect(reader.getByRole('heading', { level: 1, name: 'Forgot password' })).toBeVisible()
  await reader.getByLabel('Email').fill('a.member.with.a.rather.long.address@guest.example')
  await reader.getByRole('button', { name: 'Reset password' }).click()
  const address = reader.locator('.email-address')
  await expect(address).toHaveText('a.member.with.a.rather.long.address@guest.example')
  await fontsLoaded(reader)
  const lines = await address.evaluate((element) =>
    [...element.childNodes].flatMap((node) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return node.textContent === '' ? [] : [range.getClientRects().length]
    }),
  )
  expect(lines).toEqual([1, 1])
})

test('the source of a memo is not broken by large text', async ({ reader, request }) => {
  const memo_content = '<p>Low tide in the harbour, and no boat leaves.</p>'.repeat(40)
  const edition = await editorOf(request).publish(['Harbour opens'], { memo_content })
  await reader.setViewportSize({ width: 390, height: 844 })
  await reader.goto(`/#/edition/${edition}`)
  await reader.getByRole('button', { name: 'Harbour opens' }).click()
  await reader.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  await expect(reader.getByRole('button', { name: 'Close' })).toBeVisible()
  await fontsLoaded(reader)
  const lines = await reader.getByRole('link', { name: 'Source: example.com' }).evaluate((link) => {
    const range = document.createRange()
    range.selectNodeContents(link)
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
  })
  expect(lines).toBe(1)
  const heart = await reader.locator('.like').boundingBox()
  expect((heart?.x ?? 0) + (heart?.width ?? 0)).toBeCloseTo(390 - 24, 0)
})
