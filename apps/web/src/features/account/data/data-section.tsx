import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { useState } from 'react'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useServices } from '#lib/services/services.tsx'
import { FoldedSection } from '../folded-section.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { saveJsonFile } from './save-file.ts'

/** Lets a member download their data or delete the account. */
export function DataSection({ member }: { member: Member }) {
  const { clock, memberSession } = useServices()
  const submission = useSubmission('export')
  const { isBusy, message } = submission
  const [isDeleting, setDeleting] = useState(false)

  function save() {
    void submission.run(async () => {
      const { data } = await (await memberSession.getClient()).exportMember()
      const day = clock.now().toISOString().slice(0, 10)
      saveJsonFile(`tidings-${day}.json`, JSON.stringify(data, null, 2))
      return { text: 'Your data was downloaded.' }
    })
  }

  return (
    <FoldedSection title="Your data">
      <p>Download everything that we store about you, as a JSON file, or delete your account.</p>
      <div className="section-actions">
        <button type="button" className="link" aria-disabled={isBusy} onClick={save}>
          {isBusy ? messages.pleaseWait : 'Download your data'}
        </button>
        {isDeleting ? null : (
          <button type="button" className="link" onClick={() => setDeleting(true)}>
            Delete account
          </button>
        )}
      </div>
      {message === null || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
      {isDeleting ? <DeleteAccount member={member} onKeep={() => setDeleting(false)} /> : null}
    </FoldedSection>
  )
}
