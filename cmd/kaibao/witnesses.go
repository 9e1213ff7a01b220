package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/db"
	"kaibao/internal/publiclog"
)

type witnessesCommand struct {
	List listWitnessesCommand `cmd:"" default:"withargs" help:"List the witnesses that the public log has announced, and what they have cosigned."`
	Set  setWitnessesCommand  `cmd:"" help:"Announce the witnesses of a file in the public log. Servers keep running."`
}

type listWitnessesCommand struct {
	app.Storage `embed:""`
}

// Run prints each announcement, and the state of the last cosignatures.
func (c listWitnessesCommand) Run(ctx context.Context) error {
	storage, err := c.OpenDB(ctx)
	if err != nil {
		return err
	}
	var all []publiclog.AnnouncedWitnesses
	var state *publiclog.CosigningStatus
	var inForce []publiclog.WitnessState
	err = storage.Read(ctx, func(tx *db.Tx) (err error) {
		all, err = publiclog.ListWitnesses(tx)
		if err != nil {
			return err
		}
		state, err = publiclog.ReadCosigning(tx)
		if err != nil {
			return err
		}
		_, inForce, err = publiclog.ReadWitnesses(tx)
		return err
	})
	if err := errors.Join(err, storage.Close()); err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Println("no witnesses: to announce some, run kaibao witnesses set FILE")
	}
	for _, a := range all {
		fmt.Printf("from %s: %d of %d\n", a.InForceAt.Format(time.RFC3339), a.Quorum, len(a.List))
		for _, w := range a.List {
			fmt.Printf("  %s %s\n", w, w.URL)
		}
	}
	for _, w := range inForce {
		if w.Cosigned.At.IsZero() {
			fmt.Printf("%s has cosigned nothing yet\n", w.Name)
			continue
		}
		fmt.Printf("%s cosigned %d leaves at %s\n", w.Name, w.Cosigned.Size, w.Cosigned.At.Format(time.RFC3339))
	}
	switch {
	case state == nil:
	case !state.WantedSince.IsZero():
		fmt.Printf("orders of sealed packs are refused: no quorum has answered since %s\n", state.WantedSince.Format(time.RFC3339))
	case state.LastQuorum.IsZero():
		fmt.Println("no quorum has cosigned the log yet")
	default:
		fmt.Printf("last quorum at %s; %d later leaves aren't cosigned\n", state.LastQuorum.Format(time.RFC3339), state.Uncosigned)
	}
	return nil
}

type setWitnessesCommand struct {
	File        string `arg:"" help:"File with a line quorum NUMBER, and a line witness KEY URL for each witness." type:"existingfile"`
	app.Storage `embed:""`
}

// Run announces witnesses, or changes only their addresses.
func (c setWitnessesCommand) Run(ctx context.Context) error {
	text, err := readPlain(c.File)
	if err != nil {
		return err
	}
	w, err := publiclog.ParseWitnesses(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	storage, err := c.OpenDB(ctx)
	if err != nil {
		return err
	}
	var change publiclog.WitnessChange
	err = storage.InTx(ctx, func(tx *db.Tx) (err error) {
		change, err = publiclog.SetWitnesses(tx, w)
		return err
	})
	if err := errors.Join(err, storage.Close()); err != nil {
		return err
	}
	at := change.InForceAt.Format(time.RFC3339)
	if !change.Announced {
		fmt.Printf("the log already names these witnesses, from %s; their addresses are stored\n", at)
		return nil
	}
	fmt.Printf("announced %d witnesses with a quorum of %d, in force from %s\n", len(w.List), w.Quorum, at)
	return nil
}
