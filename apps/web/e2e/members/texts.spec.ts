import type { Page } from '@playwright/test'
import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { textTo } from '../membership/inbox.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import {
  createAccount,
  createSubscriber,
  expect,
  freshNumber,
  logIn,
  openSession,
  submit,
  test,
} from './member.ts'

/** Returns a number as people write it. */
function shown(number: string): string {
  return number.replace(/^\+1(...)(...)/, '($1) $2-')
}

/** Asks for the code of a number, fills it in and returns it. */
async function fillCode(page: Page, number: string): Promise<string> {
  await page.getByRole('button', { name: 'Text me a code' }).click()
  const code = /^\d{6}/.exec(await textTo(number))?.[0] ?? ''
  await page.getByLabel('Code').fill(code)
  return code
}

test('texts ask for the code of the number, and STOP on the phone turns them off', async ({
  reader,
  consoleErrors,
}) => {
  const number = freshNumber()
  await openSession(reader, await createSubscriber(reader))
  await reader.goto('/#/account/dashboard')
  await expect(reader.getByText('Texts go to mobile numbers from: United States.')).toBeVisible()
  await reader.getByLabel('Name').fill('Ada Reader')
  await reader.getByLabel('Phone number').fill(number)
  await reader.getByRole('switch', { name: 'Memo by SMS' }).check()
  await submit(reader)
  const note = reader.getByRole('region', { name: 'Confirm your number' })
  await expect(note.getByText(/Reply STOP to end them/)).toBeVisible()
  await expectAccessiblePage(reader, 'Subscription options')

  const message = 'Too many codes were requested for this number. '.repeat(4).trim()
  await reader.route('**/member/phone/verification', (route) =>
    route.fulfill({ status: 429, json: { error: { code: 'too-many-requests', message } } }),
  )
  await note.getByRole('button', { name: 'Text me a code' }).click()
  const overflow = ({ scrollHeight, clientHeight }: Element) => scrollHeight - clientHeight
  expect(await note.getByText(message).evaluate(overflow)).toBe(0)
  await reader.unroute('**/member/phone/verification')
  // The browser logs the 429.
  consoleErrors.splice(0)
  const code = await fillCode(reader, number)
  await expectAccessiblePage(reader, 'Subscription options')
  await reader.keyboard.press('Enter')
  await expect(
    reader.getByText(`Your number is confirmed. We text editions to ${shown(number)}.`),
  ).toBeVisible()

  const phone = await reader.context().newPage()
  await phone.goto(`${siteUnderTest.inboxUrl()}/phone/${encodeURIComponent(number)}`)
  await expect(phone.getByText(`${code} is your`)).toBeVisible()
  await phone.getByLabel('Reply').fill('STOP')
  await phone.getByRole('button', { name: 'Send' }).click()
  await expect(phone.getByText('You have successfully been unsubscribed.')).toBeVisible()
  await phone.close()
  await reader.reload()
  await expect(reader.getByRole('switch', { name: 'Memo by SMS' })).not.toBeChecked()
  expect([...consoleErrors]).toEqual([])
})

test('a number that gets no code, and one without a confirmed address, are explained', async ({ reader }) => {
  await logIn(reader, await createAccount(reader))
  await reader.getByLabel('Name').fill('Ada Reader')
  await reader.getByLabel('Phone number').fill('+1 876 210 1234')
  await reader.getByRole('switch', { name: 'Memo by SMS' }).check()
  await submit(reader)
  await expect(reader.getByText('We don’t text numbers from the country of +1 876 210 1234.')).toBeVisible()
  await expectAccessiblePage(reader, 'Subscription options')

  const number = freshNumber()
  await reader.getByLabel('Phone number').fill(number)
  await submit(reader)
  await expect(reader.getByText(`Then we can text a code to ${shown(number)}.`)).toBeVisible()
  await expect(reader.getByRole('button', { name: 'Text me a code' })).toBeHidden()
})

test('each switch sends editions in its own way, and none once it is off', async ({ reader }) => {
  const number = freshNumber()
  await openSession(reader, await createSubscriber(reader))
  await reader.goto('/#/account/dashboard')
  const nothing = reader.getByText('Nothing is sent to you. Choose below how editions reach you.')
  const unconfirmed = reader.getByText(
    'Nothing is sent until your email address or phone number is confirmed.',
  )
  await reader.getByLabel('Name').fill('Ada Reader')
  await reader.getByLabel('Phone number').fill(number)
  await turn('Memo by e-mail', false)
  await expect(nothing).toBeVisible()

  await turn('PDF by SMS', true)
  await expect(unconfirmed).toBeVisible()
  await fillCode(reader, number)
  await reader.keyboard.press('Enter')
  await expect(reader.getByText(`We text editions to ${shown(number)}.`)).toBeVisible()
  await turn('PDF by SMS', false)
  await expect(nothing).toBeVisible()

  for (const [name, next] of [
    ['Memo by e-mail', 'The next edition comes by email'],
    ['Memo by SMS', 'The next edition comes by text'],
    ['PDF by e-mail', 'The next edition comes as a PDF by email'],
    ['PDF by SMS', 'The next edition comes as a PDF by text'],
    ['Evening digest', 'The evening digest comes by email'],
  ] as const) {
    await turn(name, true)
    await expect(reader.getByText(next)).toBeVisible()
    await turn(name, false)
    await expect(nothing).toBeVisible()
  }

  async function turn(name: string, isOn: boolean): Promise<void> {
    await reader.getByRole('switch', { name }).setChecked(isOn)
    await submit(reader)
  }
})
