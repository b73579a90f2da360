import { expect, type Locator, type Page } from '@playwright/test'

/** Roles that a person can press. */
const pressable = ['button', 'link', 'tab', 'radio', 'checkbox', 'menuitem', 'option', 'switch'] as const

/** Someone who never saw the desk. Finds everything by its visible text or label, and counts each action. */
export type Newcomer = {
  /** The number of actions so far. */
  count(): number
  /** Waits until a text is seen. Reading is no action. */
  see(text: string | RegExp): Promise<void>
  /** Waits until a text is seen in the email's own frame. */
  seeInFrame(text: string): Promise<void>
  /** Presses what has this name, in the open dialog if there is one. */
  press(name: string | RegExp): Promise<void>
  /** Waits until a text is gone. */
  seeNoMore(text: string): Promise<void>
  /** Waits until the field with this label is empty. */
  seeEmpty(label: string): Promise<void>
  /** Goes into the field with this label. */
  focus(label: string): Promise<void>
  /** Writes into the field with this label. */
  fill(label: string | RegExp, text: string): Promise<void>
  /** Presses a key or a combination. */
  key(keys: string): Promise<void>
  /** Types at the caret. */
  type(text: string): Promise<void>
  /** Pastes what another program put on the clipboard. */
  paste(html: string): Promise<void>
  /** Presses what opens the file dialog, and chooses a file there. */
  choose(name: string | RegExp, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>
}

/** Creates a newcomer who looks at a page. */
export function newcomerAt(page: Page): Newcomer {
  let actions = 0

  /** A person looks at the dialog that lies over the page. */
  async function scope(): Promise<Locator> {
    const dialogs = page.getByRole('dialog').filter({ visible: true })
    return (await dialogs.count()) > 0 ? dialogs.last() : page.locator('body')
  }

  async function named(name: string | RegExp): Promise<Locator> {
    const within = await scope()
    const exact = typeof name === 'string'
    const [first, ...rest] = pressable.map((role) => within.getByRole(role, { name, exact }))
    if (first === undefined) throw new Error('Nothing can be pressed')
    const shown =
      typeof name === 'string'
        ? new RegExp(`^\\s*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`)
        : name
    const all = [...rest, within.locator('a, button, summary, label').filter({ hasText: shown })]
    return all
      .reduce((found, each) => found.or(each), first)
      .filter({ visible: true })
      .first()
  }

  return {
    count: () => actions,
    async see(text) {
      await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
    },
    async seeInFrame(text) {
      await expect(
        page.frameLocator('iframe').getByText(text).filter({ visible: true }).first(),
      ).toBeVisible()
    },
    async seeNoMore(text) {
      await expect(page.getByText(text).filter({ visible: true })).toHaveCount(0)
    },
    async seeEmpty(label) {
      await expect((await scope()).getByLabel(label, { exact: true }).first()).toHaveValue('')
    },
    async focus(label) {
      actions += 1
      await (await scope()).getByRole('textbox', { name: label, exact: true }).click()
    },
    async press(name) {
      actions += 1
      await expect(async () => {
        await (await named(name)).click({ timeout: 3000 })
      }).toPass({ timeout: 40_000 })
    },
    async fill(label, text) {
      actions += 1
      const field = (await scope()).getByLabel(label).filter({ visible: true }).first()
      await field.fill(text)
    },
    async key(keys) {
      actions += 1
      await page.keyboard.press(keys)
    },
    async type(text) {
      actions += 1
      await page.keyboard.type(text)
    },
    async paste(html) {
      actions += 1
      await page.evaluate((text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', text)
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
      }, html)
    },
    async choose(name, file) {
      actions += 1
      const chooser = page.waitForEvent('filechooser')
      await (await named(name)).click()
      await (await chooser).setFiles(file)
    },
  }
}
