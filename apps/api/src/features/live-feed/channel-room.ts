/** The name of the room of a channel's readers: channels of two apps may be called alike. */
export function roomOfChannel({ appId, channelKey }: { appId: string; channelKey: string }): string {
  return `${appId} ${channelKey}`
}
