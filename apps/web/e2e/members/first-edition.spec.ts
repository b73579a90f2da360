import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { payWith } from '../membership/checkout.ts'
import { about, codeTo, mailTo, textTo } from '../membership/inbox.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import {
  expect,
  expectCheckout,
  expectWelcome,
  fillSignUp,
  freshNumber,
  memberOf,
  password,
  submit,
  test,
} from './member.ts'

const welcome = 'Your Monthly plan is active'

test.describe('a member who has just paid', () => {
  test('chooses, confirms the address and reads the edition, by the keyboard', async ({ reader }) => {
    const email = await fillSignUp(reader)
    await submit(reader)
    await expectCheckout(reader)
    await payWith(reader, 'Pays')
    await expectWelcome(reader)
    await expect(reader).toHaveURL(/#\/account\/dashboard$/)
    await expect(reader.getByText(/We emailed a code to a…@guest\.example/)).toBeVisible()
    await expect(reader.getByText('No email yet?')).toBeVisible()
    await expect(reader.getByRole('button', { name: 'Send a new email' })).toBeHidden()
    await expectAccessiblePage(reader, welcome)

    await reader.getByRole('switch', { name: 'Memo by e-mail' }).focus()
    await expect(reader.getByRole('switch', { name: 'Memo by e-mail' })).toBeChecked()
    expect((await memberOf(reader))?.customFields.getmemomethodbyemail).toBeUndefined()
    await reader.keyboard.press('Enter')
    await expect(reader.getByLabel('Code')).toBeFocused()
    expect((await memberOf(reader))?.customFields).toMatchObject({ getmemomethodbyemail: true })
    await expectAccessiblePage(reader, welcome)
    await reader.keyboard.type(await codeTo(email, about.verification))
    await reader.keyboard.press('Enter')
    await expect(reader.getByRole('link', { name: 'Read today’s edition' })).toBeFocused()
    await expectAccessiblePage(reader, welcome)
    await reader.keyboard.press('Enter')
    await expect(reader).toHaveURL(/#\/home$/)

    const { text } = await mailTo(email, 'Choose how editions reach you')
    expect(text).toMatch(/Choose how editions reach you:\n\S+#\/account\/dashboard\n/)
    await reader.goto('/#/account/dashboard')
    await expectAccessiblePage(reader, 'Subscription options')
    await expect(reader.getByRole('region', { name: 'Your first edition' })).toBeHidden()
  })

  test('confirms the number, too, after choosing texts', async ({ reader }) => {
    const email = await fillSignUp(reader)
    const number = freshNumber()
    await reader.getByLabel('Phone number').fill(number)
    await submit(reader)
    await expectCheckout(reader)
    await payWith(reader, 'Pays')
    await expectWelcome(reader)
    await reader.getByRole('switch', { name: 'Memo by e-mail' }).uncheck()
    await reader.getByRole('switch', { name: 'Memo by SMS' }).check()
    await submit(reader)
    await expect(reader.getByText(/first confirm your email address above/)).toBeVisible()
    await expectAccessiblePage(reader, welcome)
    await reader.getByLabel('Code').fill(await codeTo(email, about.verification))
    await reader.keyboard.press('Enter')
    await expect(reader.getByRole('button', { name: 'Text me a code' })).toBeFocused()
    await expectAccessiblePage(reader, welcome)
    await reader.keyboard.press('Enter')
    const code = /^\d{6}/.exec(await textTo(number))?.[0] ?? ''
    await expect(reader.getByLabel('Code')).toBeFocused()
    await expect(reader.getByRole('button', { name: 'Send a new code' })).toBeHidden()
    await expectAccessiblePage(reader, welcome)
    await reader.keyboard.type(code)
    await reader.keyboard.press('Enter')
    await expect(reader.getByRole('heading', { name: 'Done: Your phone number' })).toBeVisible()
    await expect(reader.getByText('You’re all set. The next edition comes to you.')).toBeVisible()
    await expect(reader.getByRole('link', { name: 'Read today’s edition' })).toBeFocused()
  })

  test('finds the steps on the dashboard until they are done, here or elsewhere', async ({ reader }) => {
    const email = await fillSignUp(reader)
    await submit(reader)
    await expectCheckout(reader)
    await payWith(reader, 'Pays')
    await expectWelcome(reader)
    await reader.reload()
    await expectAccessiblePage(reader, 'Subscription options')
    const steps = reader.getByRole('region', { name: 'Your first edition' })
    await steps.getByRole('button', { name: 'Choose below' }).click()
    await expect(reader.getByRole('switch', { name: 'Memo by e-mail' })).toBeFocused()

    const headers = { 'X-API-Key': siteUnderTest.publicKey() }
    const data = { email, password, code: await codeTo(email, about.verification) }
    expect((await reader.request.post('/auth/verify-email', { headers, data })).status()).toBe(200)
    await expect(steps.getByRole('heading', { name: 'Done: Your email address' })).toBeVisible({
      timeout: 10_000,
    })
    await reader.keyboard.press('Space')
    await submit(reader)
    await expect(steps.getByRole('link', { name: 'Read today’s edition' })).toBeVisible()
    await reader.reload()
    await expect(reader.getByText('Update succeeded')).toBeHidden()
    await expect(steps).toBeHidden()
  })
})
