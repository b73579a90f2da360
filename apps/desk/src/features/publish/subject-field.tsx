import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { limits } from '@tidings/contracts/limits'
import { Failure } from '#components/failure.tsx'
import { saveSubject } from './publish-calls.ts'
import { currentOf } from './stale-edition.ts'
import { unsavedSubject, useTypedSubject } from './typed-subject.ts'

type Props = {
  edition: DeskEdition
  onSaved: (edition: DeskEdition) => void
  onRefused: (current: DeskEdition) => void
}

/** Shows the subject of the emails, and saves another one apart from everything else, or with the deed of the dialog. */
export function SubjectField({ edition, onSaved, onRefused }: Props) {
  const { subject, version, status } = edition
  const queryClient = useQueryClient()
  const [text, setText] = useTypedSubject(edition)
  const save = useMutation({
    mutationFn: (subject: string) => saveSubject(edition, subject),
    onSuccess(saved) {
      setText(null)
      // A higher number means that someone else changed it too, which the editor hasn't seen.
      if (saved.version <= version + 1) onSaved(saved)
      else onRefused(saved)
      void queryClient.invalidateQueries({ queryKey: ['editions'] })
    },
    onError(error) {
      const current = currentOf(error)
      if (current !== null) onRefused(current)
    },
  })
  if (text === null) {
    return (
      <p className="publish-subject">
        <span>Subject: {subject === '' ? 'the first title' : `“${subject}”`}</span>
        {status !== 'held' && (
          <button type="button" className="words" onClick={() => setText(subject)}>
            Change
          </button>
        )}
      </p>
    )
  }
  return (
    <div className="publish-subject">
      <label htmlFor="publish-subject">Subject</label>
      <input
        id="publish-subject"
        value={text}
        maxLength={limits.subjectCharacters}
        placeholder="The first title"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.metaKey || event.ctrlKey) return
          event.preventDefault()
          save.mutate(text.trim())
        }}
      />
      <button type="button" disabled={save.isPending} onClick={() => save.mutate(text.trim())}>
        Save
      </button>
      <button type="button" className="words" onClick={() => setText(null)}>
        Cancel
      </button>
      <Failure text={save.error?.message ?? null} canClose />
      {unsavedSubject(text, edition) !== undefined && (
        <p className="meta publish-unsaved">
          Not saved yet; saved is {subject === '' ? 'the first title' : `“${subject}”`}. Previews and tests
          have it, and the button below saves it too.
        </p>
      )}
    </div>
  )
}
