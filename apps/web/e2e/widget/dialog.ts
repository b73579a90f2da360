import { expect, type Page } from '@playwright/test'

/** The dialogs of a page that has the widget's script tag. */
export function createDialog(page: Page) {
  const dialog = page.getByRole('dialog')
  return {
    dialog,
    field: (label: string | RegExp) => dialog.getByLabel(label, { exact: true }),
    button: (name: string | RegExp) => dialog.getByRole('button', { name, exact: true }),
    /** Opens a dialog with `openModal`, whose outcome `outcome` returns. */
    async open(type: string, params: object = {}): Promise<void> {
      await page.evaluate(
        ([modal, given]) => {
          Reflect.set(window, 'modalOutcome', undefined)
          const settle = (text: string) => Reflect.set(window, 'modalOutcome', text)
          Reflect.get(window, '$membership')
            .openModal(modal, given)
            .then(
              (result: { type: string }) => settle(result.type),
              (error: Error) => settle(error.message),
            )
        },
        [type, params] as const,
      )
    },
    async outcome(text: string): Promise<void> {
      await expect.poll(() => page.evaluate(() => Reflect.get(window, 'modalOutcome'))).toBe(text)
    },
    async hide(): Promise<void> {
      await page.evaluate(() => Reflect.get(window, '$membership').hideModal())
      await expect(dialog).toHaveCount(0)
    },
    message: (text: string | RegExp) => dialog.getByText(text),
  }
}
