import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages } from '@tidings/contracts/membership/messages'
import { useState } from 'react'
import { TextField } from '#components/forms/text-field.tsx'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useServices } from '#lib/services/services.tsx'
import { feedKey } from '../feed.ts'
import { FoldedSection } from '../folded-section.tsx'

const hintId = 'feed-hint'

/** The member's private feed: its addresses are shown once, right after they were created. */
export function FeedSection() {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const submission = useSubmission('feed')
  const { isBusy, message } = submission
  const [created, setCreated] = useState<{ rss: string; json: string; createdAt: string } | null>(null)
  const { data: feed = null } = useQuery({
    queryKey: feedKey,
    // Logging out resets it while the screen is still there.
    enabled: () => memberSession.isLoggedIn(),
    queryFn: async () => (await (await memberSession.getClient()).getFeed()).data,
  })
  const addresses = created !== null && created.createdAt === feed?.createdAt ? created : null
  const hasEnded = created !== null && feed === null

  /** Stores what the server just said, and ignores a reply that is older. */
  async function store(next: { createdAt: string } | null) {
    await queryClient.cancelQueries({ queryKey: feedKey })
    queryClient.setQueryData(feedKey, next)
  }

  function renew() {
    void submission.run(async () => {
      const { data } = await (await memberSession.getClient()).renewFeed()
      setCreated(data)
      await store({ createdAt: data.createdAt })
      return 'done'
    })
  }

  function end() {
    void submission.run(async () => {
      await (await memberSession.getClient()).deleteFeed()
      setCreated(null)
      await store(null)
      return { text: 'The address no longer works.' }
    })
  }

  return (
    <FoldedSection title="Feed">
      <p>
        Read the editions in a feed reader. The address is yours alone: anyone who has it can read them.
        {feed === null ? '' : ' A new address ends the one you have.'} It also ends when you change your
        password or log out your other devices.
      </p>
      {hasEnded ? <p role="status">Your feed address has ended. Create a new one.</p> : null}
      {addresses === null ? null : (
        <>
          <Address id="feed-rss" label="RSS" value={addresses.rss} />
          <Address id="feed-json" label="JSON Feed" value={addresses.json} />
          <p id={hintId} role="status">
            Copy the address now. We show it only once.
          </p>
        </>
      )}
      <div className="section-actions">
        <button type="button" className="link" aria-disabled={isBusy} onClick={renew}>
          {isBusy ? messages.pleaseWait : feed === null ? 'Create a feed address' : 'Renew the feed address'}
        </button>
        {feed === null ? null : (
          <button type="button" className="link" aria-disabled={isBusy} onClick={end}>
            End the feed
          </button>
        )}
      </div>
      {message === null || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </FoldedSection>
  )
}

function Address({ id, label, value }: { id: string; label: string; value: string }) {
  return (
    <TextField
      id={id}
      label={label}
      value={value}
      hintId={hintId}
      readOnly
      onFocus={({ target }) => target.select()}
    />
  )
}
