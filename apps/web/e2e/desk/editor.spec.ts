import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { violationsInDark, violationsInLight } from '../accessibility.ts'
import { expect, test } from './desk-page.ts'

const textOf = (desk: Page) => desk.getByRole('textbox', { name: 'Text', exact: true })
const toolbarOf = (desk: Page) => desk.getByRole('toolbar', { name: 'Format' })

/** The frame around the text has its own test. */
async function violationsOfEditor(desk: Page): Promise<string[]> {
  const found = [...(await violationsInDark(desk)), ...(await violationsInLight(desk))]
  return found.filter((violation) => violation.includes('editor') || violation.includes('tabindex="-1"'))
}

/** Starts an edition of an own day, adds a memo and goes to its text. */
async function startMemo(desk: Page, consoleErrors: string[], key: string): Promise<void> {
  await desk.goto(`/desk/editions/${key}`)
  await desk.getByRole('button', { name: 'Start' }).click()
  await desk.getByRole('button', { name: 'Add memo' }).click()
  await desk.getByLabel('Title').fill(`A memo of ${key}`)
  await textOf(desk).click()
  // The browser reports that there was no such edition.
  consoleErrors.length = 0
}

/** Returns what was stored with the last save, and whether the cleaner took something. */
async function stored(desk: Page): Promise<unknown> {
  await expect(desk.getByText(/^Saved \d+ s ago$/)).toBeVisible()
  const id = /memos\/([^/?]+)/.exec(desk.url())?.[1] ?? ''
  const reply = await desk.request.get(`/desk/v1/memos/${id}/working-copy`)
  const { data } = await reply.json()
  return data.memo_content
}

/** Returns whether a reader sees the caret: it is in the window, and nothing covers it. */
async function isCaretSeen(desk: Page): Promise<boolean> {
  return await textOf(desk).evaluate((text) => {
    const range = document.getSelection()?.getRangeAt(0)
    if (range === undefined) return false
    // An empty line has no rectangle of its own.
    const { startContainer: node } = range
    const { left, top, height } =
      [...range.getClientRects()][0] ?? (node instanceof Element ? node : text).getBoundingClientRect()
    const at = document.elementFromPoint(left, top + height - 1)
    return at !== null && (text.contains(at) || at.contains(text))
  })
}

/** Pastes as a program's clipboard does: its HTML arrives as it is. */
async function paste(desk: Page, data: Readonly<Record<string, string>>): Promise<void> {
  await textOf(desk).evaluate((text, entries) => {
    const clipboardData = new DataTransfer()
    for (const [type, value] of Object.entries(entries)) clipboardData.setData(type, value)
    text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, data)
}

test.describe('the text of a memo', () => {
  test.use({ viewport: { width: 1440, height: 900 } })

  test('is stored as it was typed, with lists, quotes and emphasis by keyboard', async ({
    desk,
    consoleErrors,
  }) => {
    await startMemo(desk, consoleErrors, '04-02-40-3PM')

    await desk.keyboard.type('Plain and ')
    await desk.keyboard.press('Control+b')
    await desk.keyboard.type('bold')
    await desk.keyboard.press('Control+b')
    await desk.keyboard.type(' & more')
    await desk.keyboard.press('Enter')
    await desk.keyboard.type('- One')
    await desk.keyboard.press('Enter')
    await desk.keyboard.type('Two')
    await desk.keyboard.press('Tab')
    await desk.keyboard.press('Enter')
    await desk.keyboard.press('Enter')
    await desk.keyboard.press('Enter')
    await desk.keyboard.type('> Said')
    await desk.keyboard.press('Enter')
    await desk.keyboard.press('Enter')
    await desk.keyboard.type('## Heading')
    await desk.keyboard.press('Enter')
    await desk.keyboard.type('End')

    await expect
      .poll(() => stored(desk))
      .toBe(
        '<p>Plain and <strong>bold</strong> &amp; more</p><ul><li>One<ul><li>Two</li></ul></li></ul><blockquote><p>Said</p></blockquote><h2>Heading</h2><p>End</p>',
      )
  })

  test('takes what Word puts on the clipboard, and says what it leaves out', async ({
    desk,
    consoleErrors,
  }) => {
    const fixtures = new URL('../../../../packages/paste/fixtures/', import.meta.url)
    const html = await readFile(new URL('word-desktop.html', fixtures), 'utf8')
    await startMemo(desk, consoleErrors, '04-03-40-3PM')

    await paste(desk, {
      'text/html': html.replace('</body>', '<p><img src="https://a.example/b.png" alt=""></p></body>'),
    })

    await expect(desk.getByText(/^Left out: \d+ pictures?\.$/)).toBeVisible()
    await expect(textOf(desk).locator('ol, ul').first()).toBeVisible()
    await expect(textOf(desk).locator('[style], [class*=Mso]')).toHaveCount(0)
    await expect.poll(() => stored(desk)).toContain('<ol start="4">')
    const saved = await stored(desk)
    await desk.keyboard.press('Control+a')
    await desk.keyboard.press('Control+x')
    await expect(textOf(desk)).toHaveText('')
    await desk.keyboard.press('Control+v')
    await expect(textOf(desk).locator('ol, ul').first()).toBeVisible()
    await desk.keyboard.type(' ')
    await desk.keyboard.press('Backspace')
    await expect.poll(() => stored(desk)).toBe(saved)
  })

  test('has a toolbar by keyboard, a link dialog and tables', async ({ desk, consoleErrors }) => {
    await startMemo(desk, consoleErrors, '04-04-40-3PM')
    await desk.keyboard.type('Trieste')
    await desk.keyboard.press('Shift+Home')
    await expect(toolbarOf(desk)).toBeVisible()
    await desk.keyboard.press('Alt+F10')
    await expect(toolbarOf(desk).getByRole('button', { name: 'Bold' })).toBeFocused()
    expect(await violationsOfEditor(desk)).toEqual([])
    await desk.keyboard.press('ArrowRight')
    await desk.keyboard.press('Enter')
    await expect(textOf(desk).locator('em')).toHaveText('Trieste')
    await desk.keyboard.press('Control+k')
    const dialog = desk.getByRole('dialog', { name: 'Link' })
    await expect(dialog.getByLabel('Text')).toHaveValue('Trieste')
    await dialog.getByLabel('Address').fill('ports.example/a')
    await dialog.getByLabel('Text').fill('Porto di Trieste')
    await expect(dialog.getByRole('status')).toHaveText(/\S/)
    expect(await violationsOfEditor(desk)).toEqual([])
    await dialog.getByRole('button', { name: 'Set link' }).click()
    await expect(textOf(desk)).toBeFocused()
    await desk.keyboard.press('Control+a')
    await toolbarOf(desk).getByRole('button', { name: 'Table' }).click()
    await desk.keyboard.type('Port')
    await toolbarOf(desk).getByRole('button', { name: 'Header row' }).click()
    await desk.keyboard.press('Tab')
    await desk.keyboard.type('Price')
    await toolbarOf(desk).getByRole('button', { name: 'Delete column' }).click()

    await expect
      .poll(() => stored(desk))
      .toBe(
        '<p><a href="https://ports.example/a" rel="noopener noreferrer" target="_blank"><em>Porto di Trieste</em></a></p><table><thead><tr><th>Port</th></tr></thead><tbody><tr><td></td></tr></tbody></table>',
      )
  })

  test('reports nothing while a composition goes on', async ({ desk, consoleErrors }) => {
    await startMemo(desk, consoleErrors, '04-05-40-3PM')
    const session = await desk.context().newCDPSession(desk)
    await session.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 })
    await session.send('Input.imeSetComposition', { text: 'かん', selectionStart: 2, selectionEnd: 2 })
    await session.send('Input.insertText', { text: '漢' })

    await expect.poll(() => stored(desk)).toBe('<p>漢</p>')
  })

  for (const [screen, viewport] of [
    ['a desk', { width: 1440, height: 500 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const) {
    test(`keeps the caret in view on ${screen}, through typed words, new lines and a paste`, async ({
      desk,
      consoleErrors,
    }) => {
      await desk.setViewportSize(viewport)
      await startMemo(desk, consoleErrors, screen === 'a desk' ? '04-09-40-3PM' : '04-10-40-3PM')
      await paste(desk, {
        'text/plain': Array.from({ length: 12 }, (_, line) => `Line ${line}.`).join('\n\n'),
      })
      await expect.poll(() => isCaretSeen(desk)).toBe(true)
      for (let line = 0; line < 12; line++) {
        await desk.keyboard.press('Enter')
        await expect.poll(() => isCaretSeen(desk)).toBe(true)
        await desk.keyboard.type(
          'Words that go on until they need another line, and then one more of these lines.',
        )
        await expect.poll(() => isCaretSeen(desk)).toBe(true)
      }
    })
  }
})
