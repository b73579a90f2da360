/** Stands for a screen until its code is there. */
export function LoadingScreen() {
  return (
    <div className="page">
      <h1 className="visually-hidden">Loading</h1>
      <p role="status" className="loading">
        Loading…
      </p>
    </div>
  )
}

/** Stands for the whole desk until it is known who opens it. */
export function LoadingDesk() {
  return (
    <main>
      <LoadingScreen />
    </main>
  )
}
