import type { APIRequestContext, Page, TestInfo } from '@playwright/test'
import { editorOf } from '../editor.ts'
import { payWith } from '../membership/checkout.ts'
import { freshAddress } from '../membership/guest.ts'
import { about, codeTo, mailTo } from '../membership/inbox.ts'
import { contentCaches, keptCode } from '../reader.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import {
  expect,
  expectCheckout,
  expectWelcome,
  fillLogin,
  memberOf,
  password,
  submit,
  test,
} from './member.ts'
import { createPictures } from './pictures.ts'

const newPassword = 'another long password'

/** Returns what every part of the walk needs: the reader, the editor and the pictures of the steps. */
function createWalk(page: Page, request: APIRequestContext, testInfo: TestInfo) {
  const take = createPictures(testInfo, 'first-hour')
  return {
    page,
    editor: editorOf(request),
    email: freshAddress(),
    link: (name: string) => page.getByRole('link', { name, exact: true }),
    button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
    heading: page.getByRole('heading', { level: 1 }),
    article: page.locator('.gated-article .prose').first(),
    take: (step: string, of = page) => take(of, step),
  }
}

type Walk = ReturnType<typeof createWalk>

async function comesIn({ page, editor, link, take }: Walk): Promise<void> {
  const memo = `Lampreys return to river ${process.pid}`
  const edition = await editor.publish([memo, 'Night train returns'])

  await test.step('opens the link of an edition, which leads to the gate', async () => {
    await page.goto(`/?utm_source=mail&utm_medium=email&utm_campaign=morning#/edition/${edition}`)
    await expect(page).toHaveURL(/utm_source=mail.*#\/protect$/)
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await take('link-and-gate')
  })

  await test.step('unlocks the site, and is where the link leads', async () => {
    await page.getByLabel('Password', { exact: true }).fill(siteUnderTest.password())
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`#/edition/${edition}$`))
    await expect(page.getByRole('button', { name: memo })).toBeVisible()
    await take('edition')
  })

  await test.step('reads', async () => {
    await page.getByRole('button', { name: memo }).click()
    await expect(page.getByText(`The body of ${memo}`)).toBeVisible()
    await take('memo')
    await expect(link('Sign up')).toBeVisible()
  })
}

async function joins({ page, email, link, button, heading, take }: Walk): Promise<void> {
  await test.step('signs up', async () => {
    await link('Sign up').click()
    await expect(heading).toHaveText('Sign up')
    await take('sign-up')
    await submit(page)
    await expect(page.getByText('Please input all values.')).toBeVisible()
    await take('sign-up-errors')
    await page.getByLabel('Name').fill('Ada Reader')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Phone number').fill('213 373 4253')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await take('sign-up-filled')
    await page.keyboard.press('Enter')
  })

  await test.step('pays', async () => {
    await expectCheckout(page)
    await take('payment')
    await payWith(page, 'Pays')
    await expectWelcome(page)
    await take('paid')
  })

  await test.step('chooses how editions come, and confirms the address', async () => {
    await page.getByRole('switch', { name: 'PDF by e-mail' }).check()
    await take('methods')
    await submit(page)
    await expect(page.getByLabel('Code')).toBeFocused()
    await take('code')
    await page.getByLabel('Code').fill(await codeTo(email, about.verification))
    await button('Confirm').click()
    await expect(link('Read today’s edition')).toBeFocused()
    await take('confirmed')
    const methods = { getmemomethodbyemail: true, getPDFMethodByEmail: true }
    expect((await memberOf(page))?.customFields).toMatchObject(methods)
    await link('Read today’s edition').click()
    await expect(page).toHaveURL(/#\/home$/)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await take('today')
  })
}

async function receives({ page, editor, email, link, heading, take }: Walk): Promise<void> {
  await test.step('receives the first edition, and opens its links', async () => {
    const title = `Ferries of the first hour ${process.pid}`
    await editor.deliver(title)
    const { text } = await mailTo(email, title)
    const mail = await page.context().newPage()
    for (const name of ['view', 'preferences']) {
      await mail.goto(new RegExp(`http\\S+/l/${name}/[^\\s)]+`).exec(text)?.[0] ?? `no link to ${name}`)
      await expect(mail.getByRole('heading').first()).toBeVisible()
      await take(`delivery-${name}`, mail)
    }
    await mail.close()
  })

  await test.step('finds it on the dashboard', async () => {
    await link('Account').click()
    await expect(heading).toHaveText('Subscription options')
    await take('dashboard')
  })
}

async function comments({ page, email, link, button, heading, article, editor, take }: Walk): Promise<void> {
  const { title } = await editor.articleOf(null)
  await test.step('comments on an article', async () => {
    await link('Gated content').click()
    await expect(link(title)).toBeVisible()
    await take('articles')
    await link(title).click()
    await expect(heading).toHaveText(title)
    await expect(article).toBeVisible()
    await take('article')
    await page.getByRole('button', { name: /^Comments/ }).click()
    await page.getByLabel('Write a comment').fill(`Calm and clear, says ${email}`)
    await button('Post').click()
    await expect(page.getByText('Your comment was posted.')).toBeVisible()
    await expect(page.getByText(`Calm and clear, says ${email}`)).toBeVisible()
    await take('comment')
  })
}

async function losesThePassword({ page, email, link, button, heading, take }: Walk): Promise<void> {
  await test.step('logs out and has forgotten the password', async () => {
    await link('View memos').click()
    await button('Log out').click()
    await link('Log in').click()
    await expect(heading).toHaveText('Log in')
    await take('log-in')
    await page.getByLabel('Email').fill(email)
    await link('Forgot password').click()
    await expect(heading).toHaveText('Forgot password')
    await take('forgot-password')
    await button('Reset password').click()
    await expect(heading).toHaveText('Check your email')
    await take('reset')
    await page.getByLabel('Code').fill(await codeTo(email, about.reset))
    await page.getByLabel('New password', { exact: true }).fill(newPassword)
    await submit(page)
    await expect(heading).toHaveText('Password changed')
    await take('password-changed')
  })

  await test.step('logs in with the new one', async () => {
    await link('Log in').click()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await fillLogin(page, email, newPassword)
    await expect(heading).toHaveText('Subscription options')
  })
}

async function changesThePlan({ page, link, button, heading, article, editor, take }: Walk): Promise<void> {
  const { id, title } = await editor.articleOf('yearly')
  await test.step('changes the plan for an article, and reads it', async () => {
    await link('Gated content').click()
    await link(title).click()
    await expect(page.getByText(/You have the Monthly plan\.$/)).toBeVisible()
    await expect(article).toBeHidden()
    await take('article-of-another-plan')
    await link('Change to the Yearly plan').click()
    await expect(page.getByRole('radio', { name: /^Yearly/ })).toBeChecked()
    await take('change-plan')
    await button('Update').click()
    await expect(page.getByRole('heading', { name: 'Confirm the change' })).toBeFocused()
    await take('change-plan-price')
    await button(/^Pay \$4\d\.\d\d and change plan$/).click()
    await expect(page.getByText(/^Yearly has started\./)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`#/viewgated/${id}$`))
    await expect(heading).toHaveText(title)
    await expect(article).toBeVisible()
    await take('yearly')
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
    await take('change-plan-later')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^You keep Yearly until/)).toHaveText(/for \$4\.99 a month\.$/)
    await take('change-planned')
    await page.goBack()
    await link('Gated content').click()
    await link(title).click()
    await expect(article).toBeVisible()
    await link('Account').click()
  })
}

async function leavesAndReadsOffline({ page, link, heading, take }: Walk): Promise<void> {
  const titles = page.getByRole('heading', { level: 2 })
  await test.step('logs out', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL(/#\/home$/)
    await expect(link('Sign up')).toBeVisible()
    await expect(titles.first()).toBeVisible()
    // It was left at its foot, where the link to the account is.
    await expect(heading).toBeInViewport({ ratio: 1 })
    await take('logged-out')
  })

  await test.step('opens the installed app without a network', async () => {
    const newest = await titles.allTextContents()
    await keptCode(page)
    await expect.poll(() => contentCaches(page)).toContain('tidings-editions')
    await page.context().setOffline(true)
    // As an installed app opens, at its start address.
    await page.goto('about:blank')
    await page.goto('/')
    await expect(titles).toHaveText(newest)
    await titles.first().getByRole('button').click()
    await expect(page.locator('.memo .prose').first()).toBeVisible()
    await take('offline')
    await link('Log in').click()
    await expect(heading).toHaveText('Log in')
    await take('offline-log-in')
    await link('Go back').click()
    await expect(titles).toHaveText(newest)
    await page.context().setOffline(false)
  })
}

test.describe('a reader’s first hour', () => {
  test.use({ serviceWorkers: 'allow' })

  test('leads from a link to a membership, and to the installed app without a network, in one visit', async ({
    page,
    request,
    consoleErrors,
  }, testInfo) => {
    const walk = createWalk(page, request, testInfo)
    await comesIn(walk)
    await joins(walk)
    await receives(walk)
    await comments(walk)
    await losesThePassword(walk)
    await changesThePlan(walk)
    await leavesAndReadsOffline(walk)
    // The browser logs the refused article, and what can't be loaded offline.
    consoleErrors.ignore()
  })
})
