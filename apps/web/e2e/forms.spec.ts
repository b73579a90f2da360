import type { Page } from '@playwright/test'
import { checkForm, type FormCase } from './form-check.ts'
import { createAccount, createSubscriber, freshNumber, openSession } from './members/member.ts'
import { expect, test } from './reader.ts'

const visitorForms: readonly FormCase[] = [
  {
    path: '/account/signup',
    action: 'Submit',
    marked: ['Name', 'Email', 'Phone number', 'Password'],
    line: 'Please input all values.',
    right: 'Ada',
  },
  {
    path: '/account/signup',
    action: 'Submit',
    wrong: { Name: 'Ada', Email: 'ada@example', 'Phone number': '213', Password: 'short' },
    marked: ['Email', 'Phone number', 'Password'],
    line: 'Check the marked fields.',
    right: 'ada@example.com',
  },
  {
    path: '/account/login',
    action: 'Submit',
    marked: ['Email', 'Password'],
    line: 'Please input all values.',
    right: 'ada@example.com',
  },
  {
    path: '/resetpassword',
    action: 'Reset password',
    marked: ['Email'],
    line: 'Please input your email.',
    right: 'ada@example.com',
  },
  {
    path: '/auth',
    action: 'Submit',
    wrong: { 'Enter a phone number or email': 'ada@example' },
    marked: ['Enter a phone number or email'],
    line: 'Enter a phone number or email',
    right: 'ada@example.com',
  },
]

const press = (name: string) => async (page: Page) =>
  await page.getByRole('button', { name, exact: true }).click()

async function openDeletion(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Your data' }).click()
  await press('Delete account')(page)
}

/** The forms of a member with a plan. */
function memberForms(email: string): readonly FormCase[] {
  return [
    {
      path: '/account/change-plan',
      action: 'Continue to payment',
      wrong: { Name: '', Email: 'ada@example', 'Phone number': '' },
      marked: ['Name', 'Email', 'Phone number'],
      line: 'Please check items to update',
      right: 'Ada',
    },
    {
      path: '/account/dashboard',
      action: 'Submit',
      wrong: { Name: 'x'.repeat(2001), Email: 'ada@example', 'Phone number': '213' },
      marked: ['Name', 'Email', 'Phone number'],
      line: 'Check the marked fields.',
      right: 'Ada',
    },
    {
      path: '/account/dashboard',
      open: press('Pause deliveries'),
      action: 'Pause until then',
      marked: ['Continue on'],
    },
    {
      path: '/account/dashboard',
      open: openDeletion,
      action: 'Delete account',
      wrong: { [`To confirm, enter ${email}`]: 'ada@example.com' },
      marked: [`To confirm, enter ${email}`],
      line: `Enter ${email} to confirm.`,
      right: email,
    },
  ]
}

/** A code that is too short is refused here; a wrong one, and a wrong password, by the server. */
const codeForm: FormCase = {
  path: '/account/dashboard',
  action: 'Confirm',
  wrong: { Code: '123' },
  marked: ['Code'],
  line: 'Check the marked field.',
  right: '123456',
}

const changePassword: FormCase = {
  path: '/changepassword',
  action: 'Submit',
  wrong: { 'Old password': 'another password', 'New password': 'a newer password' },
  marked: ['Old password'],
  line: 'Your password is incorrect. Check it and try again.',
  right: 'a long password',
}

test.describe('forms show every error at its field, and clear it when the field is right', () => {
  for (const form of visitorForms) {
    test(`of ${form.path}, ${form.line}`, async ({ reader }) => {
      await checkForm(reader, form)
    })
  }

  test('of the gate', async ({ page }) => {
    const line = 'Please enter the password'
    await checkForm(page, { path: '/', action: 'Enter', marked: ['Password'], line, right: 'tidings' })
  })

  test('of the search', async ({ reader }) => {
    const words = 'Words to look for'
    await checkForm(reader, {
      path: '/search',
      wrong: { [words]: '\u200b\u2060' },
      marked: [words],
      right: 'a',
    })
  })

  test('of a reset, which the server refuses', async ({ reader, consoleErrors }) => {
    const email = await createAccount(reader)
    await checkForm(reader, {
      path: '/resetpassword',
      async open(page) {
        await page.getByLabel('Email').fill(email)
        await press('Reset password')(page)
      },
      action: 'Submit',
      wrong: { Code: '000000', 'New password': 'a newer password' },
      marked: ['Code'],
      right: '123456',
    })
    // The browser logs the server's refusal.
    consoleErrors.ignore()
  })

  test('of a member', async ({ reader }) => {
    const email = await createSubscriber(reader)
    await openSession(reader, email)
    for (const form of memberForms(email)) await checkForm(reader, form)
  })

  test('of a member’s password, which the server refuses', async ({ reader, consoleErrors }) => {
    await openSession(reader, await createSubscriber(reader))
    await checkForm(reader, changePassword)
    consoleErrors.ignore()
  })

  test('of a member’s codes', async ({ reader }) => {
    await openSession(reader, await createAccount(reader))
    await checkForm(reader, codeForm)
    await openSession(reader, await createSubscriber(reader))
    await checkForm(reader, {
      ...codeForm,
      async open(page) {
        await page.getByLabel('Name').fill('Ada')
        await page.getByLabel('Phone number').fill(freshNumber())
        await page.getByRole('switch', { name: 'Memo by SMS' }).check()
        await press('Submit')(page)
        await press('Text me a code')(page)
      },
    })
  })
})

test('the focus is an outline in ink', async ({ reader }) => {
  await reader.goto('/#/account/login')
  for (const focused of [reader.getByLabel('Email'), reader.getByRole('link', { name: 'Go back' })]) {
    await focused.focus()
    await reader.keyboard.press('Shift')
    const colors = await focused.evaluate((element) => {
      const { outlineColor, outlineStyle } = getComputedStyle(element)
      return [outlineStyle, outlineColor, getComputedStyle(document.body).color]
    })
    expect(colors[0]).toBe('solid')
    expect(colors[1]).toBe(colors[2])
  }
})
