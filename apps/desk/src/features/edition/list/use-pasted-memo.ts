import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { type Clipboard, leftOut, readData } from '#features/editor/paste/clipboard-data.ts'
import { noteNewText } from '#features/writing/new-texts.ts'
import { addMemo, deleteMemo, editionQuery, forgetMemo } from '../state/edition-calls.ts'
import { useGoTo } from '../state/use-go-to.ts'
import type { Undo } from '../state/use-undo.ts'

const elsewhere = 'input, textarea, select, [contenteditable="true"], dialog'

/** Makes a text that is pasted into an empty edition its first memo, and offers to take that back. */
export function usePastedMemo(key: string, isPossible: boolean, undo: Undo): { error: Error | null } {
  const queryClient = useQueryClient()
  const goTo = useGoTo(key)
  const { queryKey } = editionQuery(key)
  const { error, isPending, mutate } = useMutation({
    mutationFn: (clipboard: Clipboard) => addPasted(key, clipboard),
    async onSuccess({ memo: { id, version }, pictures }) {
      noteNewText(id)
      await queryClient.invalidateQueries({ queryKey })
      goTo(id)
      undo.offer({
        text: `Pasted as the first memo. ${leftOut(pictures)}`.trim(),
        async undo() {
          await deleteMemo(id, { version, isPrivate: false })
          forgetMemo(queryClient, key, id)
          goTo(undefined, true)
        },
      })
    },
  })
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData } = event
    if (!isPossible || isPending || clipboardData === null) return
    if (target instanceof Element && target.closest(elsewhere) !== null) return
    const clipboard = readData(clipboardData)
    if (clipboard.html === '' && clipboard.text.trim() === '') return
    event.preventDefault()
    mutate(clipboard)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onPaste(event)
    document.addEventListener('paste', listener)
    return () => document.removeEventListener('paste', listener)
  }, [])
  return { error }
}

async function addPasted(key: string, clipboard: Clipboard) {
  const { pastedHtml } = await import('#features/editor/paste/pasted-html.ts')
  // The language of a new memo is that of the site.
  const { html, pictures } = pastedHtml(clipboard, 'en')
  if (html === '') throw new Error(`Nothing to paste as a memo. ${leftOut(pictures)}`.trim())
  return { memo: await addMemo(key, { memo_content: html }), pictures }
}
