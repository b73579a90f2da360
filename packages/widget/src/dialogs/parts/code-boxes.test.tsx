/** @jsxImportSource preact */
import { wireApp } from '@tidings/client/testing/wire-samples'
import { render } from 'preact'
import { useState } from 'preact/hooks'
import { act } from 'preact/test-utils'
import { expect, it } from 'vitest'
import { catalog } from '../../translations/en.ts'
import { createTranslate } from '../../translations/translate.ts'
import { DialogContext } from '../state/dialog-context.ts'
import { createDialogStore } from '../state/dialog-store.ts'
import { startState } from '../state/start-state.ts'
import { CodeBoxes } from './code-boxes.tsx'
import { emptyCode } from './code-entry.ts'

async function renderBoxes(): Promise<HTMLInputElement[]> {
  const start = { app: wireApp(), calls: {}, params: {}, member: null }
  const initial = startState('LOGIN', { ...start, isNarrow: true })
  const t = createTranslate(catalog)
  const dialog = createDialogStore({ ...start, t, initial, onResult: () => {}, onChange: () => {} })
  function Fixture() {
    const [digits, setDigits] = useState(emptyCode)
    return <CodeBoxes digits={digits} onChange={setDigits} isErrorShown={false} />
  }
  document.body.replaceChildren()
  const page = (
    <DialogContext.Provider value={dialog}>
      <Fixture />
    </DialogContext.Provider>
  )
  await act(() => render(page, document.body))
  return [...document.querySelectorAll('input')]
}

it.each([
  'Your code is 123 456',
  '123-456',
  '１２３４５６',
  '\u2068123\u2011456\u2069\n',
  'Code 123456, valid until 10:30 on 11/26/2026',
])('fills all boxes with the code of the pasted text %j', async (text) => {
  const boxes = await renderBoxes()
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', text)
  await act(
    () => void boxes[3]?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true })),
  )
  expect(boxes.map(({ value }) => value).join('')).toBe('123456')
})

it('takes a digit that a Japanese keyboard enters', async () => {
  const [first] = await renderBoxes()
  if (first === undefined) throw new Error('No boxes')
  first.value = '４'
  await act(() => void first.dispatchEvent(new InputEvent('input', { bubbles: true })))
  expect(first.value).toBe('4')
})
