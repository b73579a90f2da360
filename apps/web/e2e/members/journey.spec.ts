import { readFile } from 'node:fs/promises'
import { memberExportReply } from '@tidings/contracts/membership/members'
import { editorOf } from '../editor.ts'
import { payWith } from '../membership/checkout.ts'
import { freshAddress } from '../membership/guest.ts'
import { about, codeTo } from '../membership/inbox.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { createDialog } from '../widget/dialog.ts'
import { expect, expectCheckout, expectWelcome, memberOf, password, submit, test } from './member.ts'

test('a new reader signs up from an article and uses all of a membership, in one visit', async ({
  page,
  request,
  consoleErrors,
}) => {
  const memo = `Lampreys return to river ${process.pid}`
  const editor = editorOf(request)
  const [edition, article, yearly] = await Promise.all([
    editor.publish([memo]),
    editor.articleOf(null),
    editor.articleOf('yearly'),
  ])
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const heading = page.getByRole('heading', { level: 1 })
  const text = page.locator('.gated-article .prose').first()
  const email = freshAddress()

  await test.step('unlocks the site with the password', async () => {
    await page.goto('/')
    await page.getByLabel('Password', { exact: true }).fill(siteUnderTest.password())
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/#\/home$/)
  })

  await test.step('reads an edition', async () => {
    const title = page.locator('.memo h2 button').first()
    await title.click()
    await expect(page.locator('.memo .prose').first()).toBeVisible()
  })

  await test.step('meets the wall of an article', async () => {
    await page.goto(`/#/viewgated/${article.id}`)
    await expect(page.getByText(/This article is for members/)).toBeVisible()
    await expect(page.getByText(article.title)).toBeHidden()
  })

  await test.step('signs up in the dialog, and reads the article', async () => {
    await link('Sign up').click()
    const { dialog, field } = createDialog(page)
    await field('Name').fill('Ada Reader')
    await field('Email address').fill(email)
    await field('Password').fill(password)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(heading).toHaveText(article.title)
    await expect(text).toBeVisible()
  })

  await test.step('pays for a plan, after a wrong phone number', async () => {
    await link('Account').click()
    await link('Choose a plan').click()
    await page.getByRole('radio', { name: /^Monthly/ }).check()
    await page.getByLabel('Phone number').fill('213 373')
    await button('Continue to payment').click()
    await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription(/isn't a full phone number/)
    await page.getByLabel('Phone number').fill('213 373 4253')
    await button('Continue to payment').click()
    await expectCheckout(page)
    await payWith(page, 'Pays')
    await expectWelcome(page)
  })

  await test.step('sets the deliveries', async () => {
    await page.getByRole('switch', { name: 'Evening digest' }).check()
    await submit(page)
    await expect(page.getByText('One step to your first edition.')).toBeVisible()
    await page.getByLabel('Code').fill(await codeTo(email, about.verification))
    await button('Confirm').click()
    await expect(link('Read today’s edition')).toBeFocused()
    await button('Account').click()
    expect((await memberOf(page))?.customFields).toMatchObject({ phone: '+12133734253', combinestatus: true })
  })

  await test.step('comments on an article from the list', async () => {
    await link('Gated content').click()
    await link(article.title).click()
    await page.getByRole('button', { name: /^Comments/ }).click()
    await page.getByLabel('Write a comment').fill(`Calm and clear, says ${email}`)
    await button('Post').click()
    await expect(page.getByText('Your comment was posted.')).toBeVisible()
    await expect(page.getByText(`Calm and clear, says ${email}`)).toBeVisible()
  })

  await test.step('finds an old memo', async () => {
    await link('View memos').click()
    await link('Search').click()
    await page.getByRole('searchbox').fill('lampreys')
    await link(memo).click()
    await expect(page).toHaveURL(new RegExp(`#/edition/${edition}$`))
    await expect(page.getByText(`The body of ${memo}`)).toBeVisible()
  })

  await test.step('changes the plan for an article, and reads it', async () => {
    await link('Account').click()
    await link('Gated content').click()
    await link(yearly.title).click()
    await expect(page.getByText(/You have the Monthly plan\.$/)).toBeVisible()
    await expect(text).toBeHidden()
    await link('Change to the Yearly plan').click()
    await expect(page.getByRole('radio', { name: /^Yearly/ })).toBeChecked()
    await button('Update').click()
    await button(/^Pay \$4\d\.\d\d and change plan$/).click()
    await expect(page.getByText(/^Yearly has started\./)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`#/viewgated/${yearly.id}$`))
    await expect(heading).toHaveText(yearly.title)
    await expect(text).toBeVisible()
    // The browser logs the refusal before the change.
    consoleErrors.splice(0)
  })

  await test.step('plans a change at the period’s end by keyboard, and keeps the article until then', async () => {
    await link('Account').click()
    await link('Change plan').click()
    await page.getByRole('radio', { name: /^Yearly/ }).focus()
    await page.keyboard.press('ArrowUp')
    await expect(page.getByRole('radio', { name: /^Monthly/ })).toBeChecked()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Confirm the change' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(button('Confirm')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^You keep Yearly until/)).toHaveText(/for \$4\.99 a month\.$/)
    await page.goBack()
    await link('Gated content').click()
    await link(yearly.title).click()
    await expect(text).toBeVisible()
    await link('Account').click()
  })

  await test.step('changes the password', async () => {
    await link('Change password').click()
    await page.getByLabel('Old password', { exact: true }).fill(password)
    await page.getByLabel('New password', { exact: true }).fill('another password')
    await submit(page)
    await expect(page.getByText('Successfully updated')).toBeVisible()
    await link('Go back').click()
  })

  await test.step('exports the data', async () => {
    await page.getByText('Your data', { exact: true }).click()
    const download = page.waitForEvent('download')
    await button('Download your data').click()
    const data: unknown = JSON.parse(await readFile(await (await download).path(), 'utf8'))
    expect(memberExportReply.parse({ data }).data.member.auth.email).toBe(email)
  })

  await test.step('logs out', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL(/#\/home$/)
    await expect(link('Sign up')).toBeVisible()
  })
})
