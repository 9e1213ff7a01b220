import { Link } from '@tanstack/react-router'
import { BookOpenCheck, Check, FileSearch, ShieldOff, Warehouse } from 'lucide-react'
import { CheckpointPanel } from '@/features/proofs/checkpoint-panel'
import { CodeLine, verifyLogCommand } from '@/features/proofs/code-line'
import { Diagram } from '@/features/proofs/diagram'
import { PackStatistics } from '@/features/proofs/pack-statistics'
import { LogWitnesses } from '@/features/proofs/log-witnesses'
import { proofsTexts } from '@/features/proofs/texts'
import { config } from '@/lib/config'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'

export function FairnessPage() {
  const t = proofsTexts.useT().fairness
  return (
    <>
      <PageHeader title={t.title} text={t.text} />
      <div className="space-y-12">
        <How />
        <Sealed />
        <div className="grid gap-5 lg:grid-cols-2">
          <CheckpointPanel />
          <Yourself />
        </div>
        <PackStatistics />
        <Button asChild variant="secondary">
          <Link to="/books">
            <BookOpenCheck aria-hidden />
            <span>{t.allBooks}</span>
          </Link>
        </Button>
        <Limits />
      </div>
    </>
  )
}

function How() {
  const t = proofsTexts.useT().fairness
  return (
    <section aria-labelledby="how">
      <h2 id="how" className="sr-only">
        {t.how}
      </h2>
      <div className="panel rounded-2xl px-6 py-7">
        <Diagram />
      </div>
      <ol className="mt-7 grid gap-x-6 gap-y-6 lg:grid-cols-3 xl:grid-cols-5">
        {t.steps.map(({ title, text }, at) => (
          <li key={title}>
            <h3 className="flex items-baseline gap-2 font-semibold">
              <span aria-hidden className="text-gold-text tabular-nums">
                {at + 1}
              </span>
              <span>{title}</span>
            </h3>
            <p className="mt-1.5 text-sm leading-relaxed text-pretty text-muted-foreground">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Sealed() {
  const t = proofsTexts.useT().fairness.sealed
  return (
    <section id="sealed" aria-labelledby="sealed-title" className="scroll-mt-8">
      <h2 id="sealed-title" className="text-xl font-semibold tracking-tight">
        {t.title}
      </h2>
      <p className="mt-1.5 max-w-3xl text-sm leading-relaxed text-pretty text-muted-foreground">{t.text}</p>
      <div className="mt-5 grid gap-5 lg:grid-cols-[3fr_2fr]">
        <div className="panel rounded-2xl p-6">
          <h3 className="font-semibold">{t.proves}</h3>
          <ul className="mt-4 space-y-4">
            {t.provesText.map(({ title, text }) => (
              <li key={title} className="flex gap-3.5">
                <span className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full bg-positive-text text-background">
                  <Check aria-hidden className="size-3" strokeWidth={3} />
                </span>
                <div>
                  <h4 className="text-sm font-semibold">{title}</h4>
                  <p className="mt-0.5 text-sm leading-relaxed text-pretty text-muted-foreground">{text}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
        <div className="panel rounded-2xl p-6">
          <h3 className="font-semibold">{t.remains}</h3>
          <ul className="mt-4 list-disc space-y-3 pl-5 text-sm leading-relaxed text-pretty text-muted-foreground marker:text-muted-foreground">
            {t.remainsText.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {config.sandbox && (
            <p className="mt-4 rounded-xl bg-warning px-4 py-3 text-[0.8125rem] text-warning-foreground">{t.test}</p>
          )}
        </div>
        <div className="lg:col-span-full">
          <LogWitnesses />
        </div>
      </div>
    </section>
  )
}

function Yourself() {
  const t = proofsTexts.useT().fairness
  return (
    <section aria-labelledby="yourself" className="panel flex flex-col rounded-2xl p-6">
      <h2 id="yourself" className="text-lg font-semibold">
        {t.command}
      </h2>
      <p className="mt-1 text-sm text-pretty text-muted-foreground">{t.commandHelp}</p>
      <CodeLine text={verifyLogCommand()} words={t} label={t.command} className="mt-5" />
      <ul className="mt-5 space-y-2 text-sm">
        {t.commandChecks.map((check) => (
          <li key={check} className="flex gap-2.5">
            <span aria-hidden className="mt-2 size-1.5 shrink-0 rounded-full bg-gold" />
            <span>{check}</span>
          </li>
        ))}
      </ul>
      <div className="mt-auto pt-6">
        <Button asChild variant="secondary">
          <Link to="/verify">
            <FileSearch aria-hidden />
            <span>{t.checkOne}</span>
          </Link>
        </Button>
      </div>
    </section>
  )
}

const limitIcons = [ShieldOff, Warehouse]

function Limits() {
  const t = proofsTexts.useT().fairness
  return (
    <section aria-labelledby="limits">
      <h2 id="limits" className="text-xl font-semibold tracking-tight">
        {t.limits}
      </h2>
      <ul className="mt-5 grid gap-5 lg:grid-cols-2">
        {t.limitsText.map(({ title, text }, at) => {
          const Icon = limitIcons[at] ?? ShieldOff
          return (
            <li key={title} className="panel flex gap-4 rounded-2xl p-5">
              <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
              <div>
                <h3 className="font-semibold">{title}</h3>
                <p className="mt-1 text-sm leading-relaxed text-pretty text-muted-foreground">{text}</p>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
