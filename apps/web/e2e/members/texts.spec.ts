import { expectAccessiblePage } from '../membership/accessible-page.ts'
import { textTo } from '../membership/inbox.ts'
import { siteUnderTest } from '../site-under-test.config.ts'
import { createAccount, expect, logIn, submit, test } from './member.ts'

let count = 0

/** Returns a number that no other test uses. */
function freshNumber(): string {
  count += 1
  return `+1213373${String((process.pid * 10 + count) % 10_000).padStart(4, '0')}`
}

test('texts ask for the code of the number, and STOP on the phone turns them off', async ({
  reader,
  consoleErrors,
}) => {
  const number = freshNumber()
  await logIn(reader, await createAccount(reader))
  await reader.getByLabel('Name').fill('Ada Reader')
  await reader.getByLabel('Phone number').fill(number)
  await reader.getByRole('switch', { name: 'Memo by SMS' }).check()
  await submit(reader)
  const note = reader.getByRole('region', { name: 'Confirm your number' })
  await expect(note.getByText(/Reply STOP to end them/)).toBeVisible()
  await expectAccessiblePage(reader, 'Subscription options')

  await note.getByRole('button', { name: 'Text me a code' }).click()
  const code = /^\d{6}/.exec(await textTo(number))?.[0] ?? ''
  await note.getByLabel('Code').fill(code)
  await expectAccessiblePage(reader, 'Subscription options')
  await reader.keyboard.press('Enter')
  await expect(reader.getByText(`Your number is confirmed. We text editions to ${number}.`)).toBeVisible()

  const phone = await reader.context().newPage()
  await phone.goto(`${siteUnderTest.inboxUrl()}/phone/${encodeURIComponent(number)}`)
  await expect(phone.getByText(`${code} is your`)).toBeVisible()
  await phone.getByLabel('Reply').fill('STOP')
  await phone.getByRole('button', { name: 'Send' }).click()
  await expect(phone.getByText('You have successfully been unsubscribed.')).toBeVisible()
  await phone.close()
  await reader.reload()
  await expect(reader.getByRole('switch', { name: 'Memo by SMS' })).not.toBeChecked()
  expect(consoleErrors).toEqual([])
})
