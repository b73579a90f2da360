import { errors, expect, type Locator, type Page } from '@playwright/test'
import { connectBadly } from './bad-network.ts'
import type { Random } from './random.ts'
import { saved, textOf } from './written-memo.ts'

/** A word that someone typed, which no other word contains. */
export type TypedWord = { by: string; word: string }

type Options = { name: string; random: Random; paths: readonly string[] }

// Titles and texts have a limit.
const longestTitle = 220
const longestText = 12_000

/** Creates a person who edits the memos of an edition at random over a bad network. */
export async function startWriter(page: Page, { name, random, paths }: Options) {
  const network = await connectBadly(page, random)
  const words: TypedWord[] = []
  const initial = name.slice(0, 1).toLowerCase()
  const pathAt = (index: number) => paths[index] ?? ''
  const conflict = page.getByRole('region', { name: 'Two texts' })
  const writeToo = page.getByRole('button', { name: 'Write too' })
  const putBack = page.getByRole('button', { name: 'Put them back' })
  await page.goto(pathAt(0))
  await expect(textOf(page)).toBeVisible()

  /** Opens a memo by its link in the list. */
  async function open(path: string): Promise<void> {
    await page.locator(`a[href="${path}"]`).first().click()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    // A memo that was never read can't be shown without a connection.
    if (!(await hasText())) await network.heal()
    await expect(textOf(page)).toBeVisible()
  }

  const hasText = () =>
    expect(textOf(page))
      .toBeVisible({ timeout: 3_000 })
      .then(
        () => true,
        () => false,
      )

  /** Decides what the desk asks: which text counts, and whether kept words are put back. */
  async function decide(): Promise<void> {
    if (await putBack.isVisible()) await clickIfThere(putBack)
    if (!(await conflict.isVisible())) return
    const buttons = conflict.getByRole('button')
    // To put both together, again and again, would double a text until it is too long.
    const isLong = ((await textOf(page).textContent()) ?? '').length > longestText
    const count = isLong ? 2 : await buttons.count()
    await clickIfThere(buttons.nth(random.below(count)))
  }

  async function type(): Promise<void> {
    const title = page.getByLabel('Title', { exact: true })
    const isTitle = random.is(0.3) && (await title.inputValue()).length < longestTitle
    const field = isTitle ? title : textOf(page)
    if (await writeToo.isVisible()) await clickIfThere(writeToo)
    await field.focus()
    // Another person may have come first, again.
    const takesWords = (each: HTMLElement) => each === document.activeElement
    if (!(await field.evaluate(takesWords))) return
    await page.keyboard.press(random.is(0.8) ? 'ControlOrMeta+End' : 'ControlOrMeta+Home')
    const word = `${initial}${words.length}x`
    words.push({ by: name, word })
    await page.keyboard.type(` ${word} `, { delay: 10 + random.below(60) })
    if (random.is(0.3)) await page.keyboard.press('ControlOrMeta+s')
  }

  return {
    page,
    words,
    /** Does one thing. */
    async act(): Promise<void> {
      if (random.is(0.3)) await network.change()
      await decide()
      if (random.is(0.7)) return await type()
      if (random.is(0.4)) return await open(pathAt(random.below(paths.length)))
      if (random.is(0.6)) return await page.keyboard.press(random.is(0.5) ? 'Alt+ArrowUp' : 'Alt+ArrowDown')
      await network.heal()
      await page.reload()
      await expect(textOf(page)).toBeVisible()
    },
    /** Lets everything typed reach the server. */
    async finish(): Promise<void> {
      await network.heal()
      for (const path of paths) {
        await open(path)
        await expect(async () => {
          await decide()
          await expect(conflict.or(putBack)).toBeHidden({ timeout: 500 })
          await expect(page.getByText(/^Saved/)).toBeVisible({ timeout: 2_000 })
        }).toPass({ timeout: 60_000 })
      }
      await saved(page)
    },
    /** Returns what is shown of a memo. */
    async shown(path: string): Promise<string[]> {
      await open(path)
      return [
        await page.getByLabel('Title', { exact: true }).inputValue(),
        (await textOf(page).textContent()) ?? '',
      ]
    },
  }
}

/** Clicks what may be gone or out of use in the next moment. */
async function clickIfThere(button: Locator): Promise<void> {
  try {
    await button.click({ timeout: 2_000 })
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error
  }
}
