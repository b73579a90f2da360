import { expect, type Page } from '@playwright/test'
import type { MembershipAppReply } from '@tidings/contracts/membership/widget-config'
import { siteUnderTest } from '../site-under-test.config.ts'

/** Returns what a test does with the dialogs of a page that has the widget's script tag. */
export function createDialog(page: Page) {
  const dialog = page.getByRole('dialog')
  const boxes = dialog.locator('.code input')
  const button = (name: string | RegExp) => dialog.getByRole('button', { name, exact: true })
  return {
    dialog,
    field: (label: string | RegExp) => dialog.getByLabel(label, { exact: true }),
    button,
    boxes,
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
    /** Pastes a text into a box of the code. */
    async paste(text: string): Promise<void> {
      await boxes.first().evaluate((box, code) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', code)
        box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    },
    /** Clicks a button that opens a popup, and acts in the popup. */
    async inPopup(name: string, act: (popup: Page) => Promise<void>): Promise<void> {
      const opened = page.waitForEvent('popup')
      await button(name).click()
      await act(await opened)
    },
  }
}

/** Calls a method of the page's client, which must succeed, and returns its data. */
export function call(page: Page, method: string, parameters: object = {}) {
  return page.evaluate(
    async ([name, given]) => (await Reflect.get(window, '$membership')[name](given)).data,
    [method, parameters] as const,
  )
}

/** Returns the app's configuration with some keys changed, as a page passes it to `openModal`. */
export async function appWith(page: Page, changes: Partial<MembershipAppReply>) {
  return { ...(await call(page, 'getApp')), ...changes }
}

const script = (name: string) =>
  `<script src="${siteUnderTest.url()}/membership/${name}" data-public-key="${siteUnderTest.publicKey()}"></script>`

/** Returns the script tag of the widget. */
export const widgetScript = () => script('widget.js')
/** Returns the script tag of the client without dialogs. */
export const clientScript = () => script('client.global.js')

type Html = { head: string; body?: string; attributes?: string; policy?: string }

/** Opens a page of the other origin with this content. */
export async function openHtml(
  page: Page,
  { head, body = '', attributes = 'lang="en"', policy }: Html,
): Promise<void> {
  const html = `<!doctype html><html ${attributes}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Page</title>${head}</head>
<body><main><h1>Page</h1>${body}</main></body></html>`
  const query = new URLSearchParams({ html, ...(policy !== undefined && { policy }) })
  await page.goto(`${siteUnderTest.guestOrigin()}/?${query}`)
}
