import { useQueryClient } from '@tanstack/react-query'
import { deskSocket } from '@tidings/contracts/routes'
import { useEffect } from 'react'
import { changedQueries, liveKeys } from './changed-queries.ts'
import { keepDeskSocket } from './desk-socket.ts'

/** Reads again whatever others change, as long as the component is on the page. */
export function useDeskEvents(): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const invalidate = (keys: readonly string[]) => {
      for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] })
    }
    return keepDeskSocket({
      connect: () => new WebSocket(socketUrl()),
      onEvent: (event) => invalidate(changedQueries(event)),
      onReturn: () => invalidate(liveKeys),
    })
  }, [queryClient])
}

function socketUrl(): URL {
  const url = new URL(deskSocket.path, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url
}
