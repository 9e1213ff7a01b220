import { Link } from '@tanstack/react-router'
import { ArrowRight, Dices, LockKeyhole, type LucideIcon, ScrollText } from 'lucide-react'
import { useT } from '@/i18n'
import { storeTexts } from './texts'

const icons: LucideIcon[] = [LockKeyhole, Dices, ScrollText]

export function FairSteps() {
  const t = storeTexts.useT().home
  const { howFair } = useT().catalogue
  return (
    <section aria-labelledby="fair" className="later [contain-intrinsic-size:auto_22rem]">
      <div className="flex items-baseline justify-between">
        <h2 id="fair" className="text-xl font-semibold tracking-tight">
          {t.fairHeading}
        </h2>
        <Link
          to="/fairness"
          className="inline-flex items-center gap-1.5 text-sm font-medium text-gold-text hover:underline"
        >
          <span>{howFair}</span>
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      </div>
      <p className="mt-1 text-muted-foreground">{t.fairText}</p>
      <ol className="mt-6 grid gap-5 lg:grid-cols-3">
        {t.fairSteps.map((step, index) => {
          const Icon = icons[index] ?? ScrollText
          return (
            <li key={step.title} className="panel rounded-2xl p-6">
              <div className="flex items-center justify-between">
                <Icon aria-hidden className="size-5 text-gold-text" />
                <span aria-hidden className="text-sm font-semibold text-muted-foreground tabular-nums">
                  {index + 1}
                </span>
              </div>
              <h3 className="mt-4 font-semibold">{step.title}</h3>
              <p className="mt-1.5 text-sm leading-relaxed text-pretty text-muted-foreground">{step.text}</p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
