package io.spyhop.server.access;

import io.spyhop.server.testing.StandInAuthoriser;
import java.util.Arrays;
import java.util.List;

/** The user that asks; the columns of the table in docs/security.md. */
enum Viewer {
  NOBODY("no grant", Place.GRANTS, "stranger"),
  FAMILY("READ on the family", Place.GRANTS, "family"),
  COLUMN("READ on the column", Place.GRANTS, "column"),
  WHOLE("READ on the table", Place.GRANTS, "whole"),
  OWNER("all on the table", Place.GRANTS, "owner"),
  CELLS("cell ACLs", Place.CELLS, "cells"),
  LABELS("labels", Place.LABELS, "unlabelled"),
  ALLOWED("other: lets", Place.OTHER, "allowed"),
  FILTERED("other: filters", Place.OTHER, StandInAuthoriser.FILTERED),
  REFUSED("other: refuses", Place.OTHER, StandInAuthoriser.REFUSED),
  SUPERUSER_AND_OTHER("other: superuser", Place.OTHER, ""),
  SUPERUSER("superuser", Place.GRANTS, ""),
  SUPERUSER_AND_LABELS("superuser", Place.LABELS, "");

  /** The cluster and table that are asked. */
  enum Place {
    /** AccessController. */
    GRANTS(Site.ACCESS_CONTROL),
    /** The same, and a table whose cells have rights of their own. */
    CELLS(Site.ACCESS_CONTROL),
    /** AccessController and VisibilityController, and every third row has a label. */
    LABELS(Site.LABELS),
    /** Another authoriser. */
    OTHER(Site.OTHER);

    private final Site site;

    Place(Site site) {
      this.site = site;
    }

    Site site() {
      return site;
    }
  }

  /** The coprocessors that check access in a cluster. */
  enum Site {
    ACCESS_CONTROL,
    LABELS,
    OTHER
  }

  private final String heading;
  private final Place place;
  private final String user;

  Viewer(String heading, Place place, String user) {
    this.heading = heading;
    this.place = place;
    this.user = user;
  }

  /** The column of the table. */
  String heading() {
    return heading;
  }

  /** Where the user asks. */
  Place place() {
    return place;
  }

  /** The name; empty is the superuser. */
  String user() {
    return user;
  }

  /** Those of a cluster. */
  static List<Viewer> of(Site site) {
    return Arrays.stream(values()).filter(v -> v.place.site() == site).toList();
  }
}
