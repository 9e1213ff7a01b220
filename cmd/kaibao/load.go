package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"kaibao/internal/loadgen"
	"kaibao/internal/progress"
)

type loadCommand struct {
	Nodes       []string `help:"Servers to test, in sandbox mode with --rate-limits off." default:"http://127.0.0.1:8080" placeholder:"URL,URL"`
	Users       int      `help:"Wallets to sign in." default:"64"`
	Concurrency int      `help:"Connections, each with one request at a time." default:"64"`
	Seconds     float64  `help:"How long to open packs, or to buy." default:"10"`
	Pack        string   `help:"The pack to open." default:"2"`
	Drop        bool     `help:"Hot drop: every user requests the supply-limited pack once." xor:"play"`
	Trade       bool     `help:"Users trade what they pull with each other; purchases are measured." xor:"play"`
	JSON        bool     `help:"Print the report as JSON."`
}

// Run prints the report and fails on any wrong response.
func (l loadCommand) Run(ctx context.Context) error {
	line := progress.New(os.Stderr)
	options := loadgen.Options{
		Progress: line.Step, Concurrency: l.Concurrency, Duration: time.Duration(l.Seconds * float64(time.Second)), Pack: l.Pack, Drop: l.Drop,
	}
	for _, text := range l.Nodes {
		node, err := url.Parse(text)
		if err != nil || node.Scheme != "http" || node.Host == "" {
			return fmt.Errorf("%q must have the form http://host:port", text)
		}
		options.Nodes = append(options.Nodes, node)
	}
	run := loadgen.Run
	if l.Trade {
		run = loadgen.RunTrade
	}
	report, err := run(ctx, l.Users, options)
	line.End()
	if report == nil {
		return err
	}
	if l.JSON {
		text, broken := json.MarshalIndent(report, "", "  ")
		fmt.Println(string(text))
		return errors.Join(err, broken)
	}
	fmt.Println(report)
	return err
}
