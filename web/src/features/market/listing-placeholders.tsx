/** Neutral cards, dimmed behind the wallet gate. They stand for no listing. */
export function ListingPlaceholders() {
  return (
    <div aria-hidden className="mt-6 grid grid-cols-2 gap-5 lg:grid-cols-4">
      {Array.from({ length: 8 }, (_, index) => (
        <PlaceholderCard key={index} />
      ))}
    </div>
  )
}

/** A slab without a card, and lines in place of words. */
function PlaceholderCard() {
  return (
    <div data-testid="listing-placeholder" className="panel rounded-2xl p-4">
      <div className="mx-auto flex aspect-[500/820] w-3/5 flex-col gap-2 rounded-xl border-2 border-muted-foreground bg-muted p-2.5">
        <div className="h-[16%] rounded-md bg-muted-foreground/80" />
        <div className="grid flex-1 place-items-center rounded-md border-2 border-muted-foreground/60">
          <div className="size-10 rotate-45 rounded-md bg-muted-foreground/60" />
        </div>
      </div>
      <div className="mt-4 h-4 w-3/5 rounded bg-muted-foreground" />
      <div className="mt-3 h-3 w-2/5 rounded bg-muted-foreground/60" />
      <div className="mt-4 h-3 w-4/5 rounded bg-muted-foreground/60" />
      <div className="mt-4 h-10 rounded-lg bg-muted-foreground/50" />
    </div>
  )
}
