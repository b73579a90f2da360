import { useQueryClient } from '@tanstack/react-query'
import { deskSocket } from '@tidings/contracts/routes'
import { useEffect, useState } from 'react'
import { changedQueries, liveKeys } from './changed-queries.ts'
import { type DeskSocket, keepDeskSocket } from './desk-socket.ts'
import { storePresence, useOwnPlace } from './presence.ts'

/** Reads again whatever others change, and tells them what is open here, as long as the component is on the page. */
export function useDeskEvents(): void {
  const queryClient = useQueryClient()
  const open = useOwnPlace()
  const [socket, setSocket] = useState<DeskSocket | null>(null)
  useEffect(() => {
    const invalidate = (keys: readonly (readonly string[])[]) => {
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
    }
    const kept = keepDeskSocket({
      connect: () => new WebSocket(socketUrl()),
      onEvent(event) {
        if (event.type === 'presence') storePresence(queryClient, event.people)
        else invalidate(changedQueries(event))
      },
      onReturn: () => invalidate(liveKeys.map((key) => [key])),
      onLost: () => storePresence(queryClient, []),
    })
    setSocket(kept)
    return kept.close
  }, [queryClient])
  useEffect(() => socket?.tell(open), [socket, open])
}

function socketUrl(): URL {
  const url = new URL(deskSocket.path, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
