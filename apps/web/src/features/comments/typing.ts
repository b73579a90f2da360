import { urlOf } from '@tidings/contracts/endpoint'
import { liveFeed } from '@tidings/contracts/routes'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { parseJson } from '#lib/api/json.ts'
import { reportUnexpected } from '#lib/api/report-unexpected.ts'
import { useServices } from '#lib/services/services.tsx'

const typingFrame = z.object({
  event: z.literal('TYPING'),
  data: z.object({ channelKey: z.string(), member: z.object({ id: z.string() }) }),
})

/** How long a member counts as writing after their last letter. */
const writingMs = 5000
const announceEveryMs = 2500
const reconnectAfterMs = 15_000
const noAccess = 1008

/** Returns whether another member is writing in a channel. Listens while the comments are open. */
export function useOthersTyping(channel: string, ownId: string | undefined): boolean {
  const { openSocket, memberSession } = useServices()
  const [isTyping, setTyping] = useState(false)

  useEffect(() => {
    let socket: { close: () => void } | null = null
    let retry: ReturnType<typeof setTimeout> | undefined
    let end: ReturnType<typeof setTimeout> | undefined
    let isGone = false

    function connect() {
      const token = memberSession.token()
      // Only an article's channel asks for the member.
      const needsToken = token !== null && channel.startsWith('article:')
      socket = openSocket(
        urlOf(liveFeed, { query: { channel } }),
        {
          onOpen: () => undefined,
          onMessage: show,
          onClose(code) {
            if (!isGone && code !== noAccess) retry = setTimeout(connect, reconnectAfterMs)
          },
        },
        needsToken ? ['tidings', `bearer.${token}`] : [],
      )
    }

    function show(text: string) {
      const frame = typingFrame.safeParse(parseJson(text))
      if (!frame.success || frame.data.data.channelKey !== channel) return
      if (frame.data.data.member.id === ownId) return
      setTyping(true)
      clearTimeout(end)
      end = setTimeout(() => setTyping(false), writingMs)
    }

    connect()
    return () => {
      isGone = true
      clearTimeout(retry)
      clearTimeout(end)
      socket?.close()
    }
  }, [channel, ownId, openSocket, memberSession])

  return isTyping
}

/** Returns what shows the other readers that this member is writing, called with each letter. */
export function useAnnounceTyping(channel: string): () => void {
  const { clock, memberSession } = useServices()
  const announcedMs = useRef(0)
  return () => {
    const nowMs = clock.now().getTime()
    if (nowMs - announcedMs.current < announceEveryMs) return
    announcedMs.current = nowMs
    // A failed call shows nothing, and a later letter repeats it.
    void memberSession
      .getClient()
      .then((client) => client.postIsTyping({ channelKey: channel }))
      .catch(reportUnexpected)
  }
}
