import { expect, type Page } from '@playwright/test'
import { violationsInDark, violationsInLight } from './accessibility.ts'

/** A form, and what is wrong in it. */
export type FormCase = {
  path: string
  /** The button that submits; the Enter key in the first marked field, otherwise. */
  action?: string
  /** Leads from the screen to the form. */
  open?: (page: Page) => Promise<void>
  /** The text of each field before, by label. */
  wrong?: Record<string, string>
  /** The labels of the fields with an error, in their order. */
  marked: readonly string[]
  /** The line below the form; empty where the field says it all. */
  line?: string
  /** A text that is right in the first marked field; the last day that it takes, otherwise. */
  right?: string
}

/** Submits a form and checks each error at its field, in both schemes, and that the first one clears. */
export async function checkForm(page: Page, form: FormCase): Promise<void> {
  const { path, action, open, wrong = {}, marked, line, right } = form
  const field = (label: string) => page.getByLabel(label, { exact: true })
  // The screen before it may have fields of the same names.
  await page.goto('about:blank')
  await page.goto(`/#${path}`)
  await open?.(page)
  await expect(field(marked[0] ?? '')).toBeVisible()
  await expect(page.locator('.field-error')).toHaveCount(0)
  for (const [label, text] of Object.entries(wrong)) await field(label).fill(text)
  if (action === undefined) await field(marked[0] ?? '').press('Enter')
  else await page.getByRole('button', { name: action, exact: true }).click()
  if (line !== undefined) await expect(page.getByRole('status').filter({ hasText: line })).toBeVisible()
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(marked.length)
  for (const label of marked) {
    await expect(field(label)).toHaveAttribute('aria-invalid', 'true')
    await expect(field(label)).toHaveAccessibleDescription(/\w/)
  }
  const first = field(marked[0] ?? '')
  await expect(first).toBeFocused()
  expect([...(await violationsInLight(page)), ...(await violationsInDark(page))]).toEqual([])
  await first.fill(right ?? (await first.getAttribute('max')) ?? '')
  await expect(first).toHaveAttribute('aria-invalid', 'false')
  await expect(page.locator('.field-error')).toHaveCount(marked.length - 1)
}
