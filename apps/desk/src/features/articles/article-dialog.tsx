import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'
import type { ArticleWorkingCopy } from '@tidings/contracts/desk/writing/article-writing'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { Modal } from '#components/modal.tsx'
import { ApiError } from '#lib/api/call.ts'
import { useDialogKeys } from '#lib/browser/use-keys.ts'
import {
  articleCopyQuery,
  articlesKey,
  deleteArticle,
  publishArticle,
  withdrawArticle,
} from './state/article-calls.ts'
import type { OpenArticle } from './state/article-drafts.ts'
import { membersText, readerCount } from './state/article-words.ts'

/** A deed that changes who has an article. */
export type Deed = 'publish' | 'withdraw' | 'delete'

type Props = {
  deed: Deed
  open: OpenArticle
  copy: ArticleWorkingCopy
  readers: ArticleReaders | undefined
  close: () => void
  onDone: (copy: ArticleWorkingCopy) => Promise<void>
}

/** Asks before an article goes out, comes back or is deleted, and says what follows. */
export function ArticleDialog({ deed, open: { id, state }, copy, readers, close, onDone }: Props) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  // The version that the person saw when the dialog opened.
  const [version] = useState(state.stored.version)
  const act = useMutation({
    async mutationFn() {
      if (deed === 'delete') {
        await deleteArticle(id, version)
        return null
      }
      return await (deed === 'publish' ? publishArticle(copy, version) : withdrawArticle(id))
    },
    async onSuccess(next) {
      if (next === null) {
        await navigate({ to: '/articles' })
        await queryClient.invalidateQueries({ queryKey: [...articlesKey, 'list'] })
        return
      }
      await onDone(next)
      close()
    },
    // A refused version is older than the newest one.
    onError: () => queryClient.invalidateQueries({ queryKey: articleCopyQuery(id).queryKey }),
  })
  useDialogKeys({ 'mod+enter': act.isPending ? undefined : () => act.mutate() })
  const { title, text, button } = wordsOf(deed, {
    isPublic: copy.isPublic,
    members: readers === undefined ? 'members' : membersText(readerCount(state.stored.text.group, readers)),
  })
  return (
    <Modal title={title} close={close}>
      <p>{text}</p>
      <Failure text={failureText(act.error)} canClose />
      <div className="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="filled" disabled={act.isPending} onClick={() => act.mutate()}>
          {button}
        </button>
      </div>
    </Modal>
  )
}

function failureText(error: Error | null): string | null {
  if (error instanceof ApiError && error.code === 'version-conflict')
    return 'This article was changed meanwhile. Close this and look at it again.'
  return error?.message ?? null
}

function wordsOf(
  deed: Deed,
  { isPublic, members }: { isPublic: boolean; members: string },
): { title: string; text: string; button: string } {
  switch (deed) {
    case 'publish':
      return isPublic
        ? {
            title: 'Publish this correction?',
            text: `The ${members} who may read it get it at once. Nothing is sent.`,
            button: 'Publish correction',
          }
        : {
            title: 'Publish this article?',
            text: `It is in the list of articles at once, and ${members} may read it. Nothing is sent.`,
            button: 'Publish now',
          }
    case 'withdraw':
      return {
        title: 'Withdraw this article?',
        text: `The ${members} who may read it don’t find it anymore. It is a draft again, with its text and your changes, and can be published later.`,
        button: 'Withdraw',
      }
    case 'delete':
      return {
        title: 'Delete this article?',
        text: 'Nobody has it, and it can’t be brought back. The log keeps its text.',
        button: 'Delete',
      }
  }
}
