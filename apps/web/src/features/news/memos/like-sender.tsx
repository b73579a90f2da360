import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useToasts } from '#components/toaster.tsx'
import { useServices } from '#lib/services/services.tsx'
import { sendPendingLikes } from './pending-likes.ts'

/** Sends the likes made offline as soon as there is a connection. */
export function LikeSender() {
  const { deviceStore } = useServices()
  const queryClient = useQueryClient()
  const toasts = useToasts()
  const isSending = useRef(false)

  const send = useEffectEvent(async () => {
    if (isSending.current || document.hidden) return
    isSending.current = true
    const refused = await sendPendingLikes(queryClient, deviceStore)
    isSending.current = false
    if (refused > 0) toasts.show('error', 'We couldn’t save a like that you made offline.')
  })

  useEffect(() => {
    const sendNow = () => void send()
    sendNow()
    window.addEventListener('online', sendNow)
    document.addEventListener('visibilitychange', sendNow)
    return () => {
      window.removeEventListener('online', sendNow)
      document.removeEventListener('visibilitychange', sendNow)
    }
  }, [])
  return null
}
