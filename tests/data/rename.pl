#!/usr/bin/perl
# Rename every record of a folder, and every finding, and keep the former ids as aliases: nothing else is touched, so that
# whatever names one does it by its former name. perl rename.pl FOLDER
use strict;
use warnings;
use File::Find;

my @folders = qw(archetypes claims/sourced evidence/accelerators evidence/documents evidence/measurements evidence/models
	evidence/tiers templates/levers);
my $count = 0;

sub with_alias {
	my ($head, $indent, $id, $rest) = @_;
	# an alias that is there stays one: of a record its own line, which comes right behind some other keys
	return "${head}renamed-$id\n${indent}aliases: [$id]\n" unless $$rest =~ s/^aliases: \[/aliases: [$id, /m;
	return "${head}renamed-$id\n";
}

find({ no_chdir => 1, wanted => sub {
	return unless /\.yaml$/;
	open my $in, '<', $_ or die "$_: $!";
	local $/;
	my $text = <$in>;
	my ($id) = $text =~ /^id: (\S+)$/m or die "$_: no id";
	my $none = '';
	if ($text =~ /^findings:$/m && m{evidence/(?:documents|measurements)/}) {
		my ($before, $findings) = split /^(?=findings:$)/m, $text, 2;
		$findings =~ s/^(\s*- id: )(\S+)\n/with_alias($1, ' ' x (length($1) - 4), $2, \$none)/gem;
		$text = $before . $findings;
	}
	$text =~ s/^id: \S+\n//m;
	$text = with_alias('id: ', '', $id, \$text) . $text;
	my $new = s{[^/]+$}{renamed-$id.yaml}r;
	unlink $_ or die;
	open my $out, '>', $new or die "$new: $!";
	print $out $text;
	$count++;
} }, map { "$ARGV[0]/$_" } @folders);
print "$count\n";
