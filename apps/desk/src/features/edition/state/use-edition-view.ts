import { useState } from 'react'
import { nextForm, type PreviewForm } from '#features/preview/rendering/previewed-edition.ts'
import { useCommands } from '#lib/browser/commands.ts'
import { useIsWide } from '#lib/browser/use-is-wide.ts'
import { useKeys } from '#lib/browser/use-keys.ts'

/** The part of a memo that a narrow window shows. */
export type EditionTab = 'write' | 'picture' | 'preview'

export type EditionView = ReturnType<typeof useEditionView>

/** Keeps what of an edition is shown: beside the list, a narrow window has room for one of text, picture and preview. */
export function useEditionView() {
  const isWide = useIsWide()
  const [tab, setTab] = useState<EditionTab>('write')
  const [form, setForm] = useState<PreviewForm>('phone')
  const isPreviewing = isWide || tab === 'preview'
  useCommands([
    {
      name: 'Next preview',
      keys: 'p',
      run: () => (isPreviewing ? setForm(nextForm(form)) : setTab('preview')),
    },
  ])
  useKeys({ escape: isWide || tab !== 'preview' ? undefined : () => setTab('write') })
  return { tab, setTab, form, setForm, isPreviewing }
}
